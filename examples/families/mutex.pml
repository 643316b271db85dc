/*
 * Mutual exclusion in its simplest form: a process is idle, tries, and enters when nobody is inside.
 *
 * The processes are interchangeable: the group is S(N). Expected: no error; 2^N + N * 2^(N-1) + 1 states in 2N + 2 orbits.
 */
#ifndef N
#define N 5
#endif
#include "each.h"
#define AND_OUTSIDE(p) && status[p] != critical

mtype = { idle, trying, critical };
mtype status[N + 1] = idle;

proctype User() {
	do
	:: d_step { status[_pid] == idle -> status[_pid] = trying }
	:: d_step { status[_pid] == trying EACH(AND_OUTSIDE) -> status[_pid] = critical }
	:: d_step { status[_pid] == critical -> status[_pid] = idle }
	od
}

init {
	byte i;
	atomic {
		for (i : 1 .. N) {
			run User()
		}
	}
}
