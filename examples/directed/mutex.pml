/*
 * A mutual exclusion that does not exclude: each process looks whether others are inside before it says that it wants to go in.
 *
 * Expected: the assertion that one process at a time is inside is violated.
 */
#ifndef N
#define N 4
#endif

bool wants[N];
byte inside;

active [N] proctype P() {
	byte me = _pid, i;
	do
	:: i = 0;
		do
		:: i < N -> (i == me || !wants[i]); i++
		:: else -> break
		od;
		wants[me] = true;
		inside++;
		assert(inside == 1);
		inside--;
		wants[me] = false
	od
}
