/* A mutex on a futex, first form (after Drepper, "Futexes are tricky"): the word counts who wants the lock, and everybody waits for the value just seen.
   The count stops at MAX: others come back later. Expected: no error. */
#ifndef N
#define N 3
#endif
#ifndef MAX
#define MAX 7
#endif
#include "futex.h"
byte inside;

active [N] proctype Thread() {
	byte c, k;
	do
	:: d_step { word < MAX -> c = word; word++ };
		do
		:: c == 0 -> break
		:: c != 0 ->
			futex_wait(c + 1);
			d_step { word < MAX -> c = word; word++ }
		od;
		inside++; assert(inside == 1); inside--;
		word = 0;
		c = 0;
		futex_wake_one()
	od
}
