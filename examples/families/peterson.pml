/*
 * Peterson's mutual exclusion for N processes: N - 1 rounds, in each of which the last to arrive waits until nobody else is as
 * far or another one arrives.
 *
 * The processes are interchangeable: the group is S(N), and `last` holds their names. Expected: no error. Steps that nobody
 * else can see are joined, so that states are those of SPIN with its statement merging: 117, 2636, 60577, 1557370 for N from 2
 * on, in 61, 494, 3106, 17321, 89850, 442481 orbits.
 */
#ifndef N
#define N 3
#endif
#include "each.h"
#define AND_BEHIND(p) && (_pid == p || round[p] < k)

byte round[N + 1];
pid last[N] = N + 1;
byte inside;

proctype User() {
	byte k;
	do
	:: k = 1;
		do
		:: k < N;
			round[_pid] = k;
			last[k] = _pid;
			atomic { ((true EACH(AND_BEHIND)) || last[k] != _pid); k++ }
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
