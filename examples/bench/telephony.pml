/* Telephones that share a table of who is connected with whom: off hook, dial, ring, talk, hang up. Expected: no error. */
#ifndef N
#define N 3
#endif
#define NOBODY 255
mtype = { on_hook, dialling, calling, ringing, talking, busy };

mtype phone[N] = on_hook;
byte partner[N] = NOBODY;

active [N] proctype User() {
	byte other;
	do
	:: atomic { phone[_pid] == on_hook -> phone[_pid] = dialling };
		if
		:: other = 0
		:: N > 1 -> other = 1 % N
		:: N > 2 -> other = 2 % N
		:: N > 3 -> other = 3 % N
		fi;
		atomic {
			if
			:: phone[other] == on_hook ->
				phone[other] = ringing; partner[other] = _pid;
				phone[_pid] = calling; partner[_pid] = other
			:: phone[other] != on_hook -> phone[_pid] = busy
			fi
		};
		other = 0
	:: atomic { phone[_pid] == ringing -> assert(phone[partner[_pid]] == calling); phone[_pid] = talking; phone[partner[_pid]] = talking }
	:: atomic { phone[_pid] == calling ->
		phone[partner[_pid]] = on_hook; partner[partner[_pid]] = NOBODY;
		phone[_pid] = on_hook; partner[_pid] = NOBODY }
	:: atomic { phone[_pid] == talking ->
		if
		:: partner[_pid] != NOBODY ->
			phone[partner[_pid]] = busy; partner[partner[_pid]] = NOBODY; partner[_pid] = NOBODY
		:: else
		fi;
		phone[_pid] = on_hook }
	:: atomic { phone[_pid] == busy -> phone[_pid] = on_hook }
	:: atomic { phone[_pid] == dialling -> phone[_pid] = on_hook }
	od
}
