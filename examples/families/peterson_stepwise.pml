/*
 * Peterson's mutual exclusion for N processes, where a process looks at the others one by one, in any order.
 *
 * The processes are interchangeable: the group is S(N). Each has an array with a cell for each other one. Expected: no error.
 * 291 and 75356 states for N = 2 and 3, in 148, 12706 and, for N = 4, 3633216 orbits.
 */
#ifndef N
#define N 3
#endif
#include "each.h"
#define AND_CHECKED(p) && checked[p]
#define FORGET(p) :: checked[p] -> checked[p] = false
#define LOOK(p) :: d_step { !checked[p] -> ok = ok && round[p] < k; checked[p] = true }

byte round[N + 1];
pid last[N];
byte inside;

proctype User() {
	byte k;
	bool checked[N + 1];
	bool ok;
	do
	:: k = 1;
		do
		:: k < N;
			round[_pid] = k;
			last[k] = _pid;
again:			atomic { ok = true; checked[_pid] = true };
			do
			:: !ok || (true EACH(AND_CHECKED)) ->
				atomic {
					do
					EACH(FORGET)
					:: else -> break
					od;
					break
				}
				EACH(LOOK)
			od;
			atomic {
				if
				:: ok || last[k] != _pid -> ok = false; k++
				:: else -> ok = false; goto again
				fi
			}
		:: else -> break
		od;
		atomic { inside++; assert(inside == 1) };
		inside--;
		round[_pid] = 0
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
