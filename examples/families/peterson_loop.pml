/*
 * Peterson's mutual exclusion for N processes as one writes it down first: ids from 0 as parameters, processes started by a loop,
 * and a loop over all others inside an atomic.
 *
 * The loop only finds out whether some other process is at this level or above, so its order cannot be seen: the group is S(N).
 * Expected: no error.
 */
#ifndef N
#define N 3
#endif
#define NOBODY N

byte flag[N];
byte turn[N] = NOBODY;
byte inside;

proctype User(byte id) {
	byte round, other;
	bit wait;
	do
	:: round = 1;
		do
		:: round < N ->
			flag[id] = round;
			turn[round] = id;
again:			atomic {
				wait = 0;
				other = 0;
				do
				:: other < N ->
					if
					:: other != id && flag[other] >= round -> wait = 1
					:: else
					fi;
					other++
				:: else -> break
				od;
				other = 0
			}
			if
			:: wait && turn[round] == id -> wait = 0; goto again
			:: else -> wait = 0
			fi;
			round++
		:: else -> break
		od;
		atomic {
			inside++;
			assert(inside == 1)
		}
		inside--;
		flag[id] = 0;
		round = 0
	od
}

init {
	byte i;
	atomic {
		i = 0;
		do
		:: i < N -> run User(i); i++
		:: else -> break
		od
	}
}
