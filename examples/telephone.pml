/*
 * Telephones: every phone may call every other one. A call rings at the other end if that phone is idle, and the caller
 * hears the busy tone otherwise; either side may hang up.
 *
 * Expected: no error. Two phones that talk, talk to each other. All phones are interchangeable.
 */
#ifndef N
#define N 6
#endif
#define NOBODY 255

mtype = { idle, calling, ringing, talking };

mtype state[N] = idle;
byte partner[N] = NOBODY;

active [N] proctype Phone() {
	byte other;
	do
	:: atomic { /* dial */
		state[_pid] == idle ->
		select (other : 0 .. N - 1);
		if
		:: other != _pid && state[other] == idle ->
			state[_pid] = calling; partner[_pid] = other;
			state[other] = ringing; partner[other] = _pid
		:: else /* the busy tone */
		fi;
		other = 0
	}
	:: atomic { /* answer */
		state[_pid] == ringing ->
		state[_pid] = talking;
		state[partner[_pid]] = talking
	}
	:: atomic { /* hang up */
		state[_pid] == calling || state[_pid] == talking ->
		other = partner[_pid];
		state[_pid] = idle; partner[_pid] = NOBODY;
		state[other] = idle; partner[other] = NOBODY;
		other = 0
	}
	:: d_step {
		state[_pid] == talking ->
		assert(partner[partner[_pid]] == _pid && state[partner[_pid]] == talking)
	}
	od
}
