/* A semaphore on a futex: the word is the number of free places; who finds none sleeps while it is 0, and everybody who leaves wakes one. Expected: no error. */
#ifndef N
#define N 3
#endif
#ifndef PLACES
#define PLACES 2
#endif
#include "futex.h"
byte inside;

active [N] proctype Thread() {
	byte c, k;
	do
	:: (word > 0 || inside > 0);
		c = word;
		do
		:: c == 0 -> futex_wait(0); c = word
		:: c > 0 ->
			atomic {
				if
				:: word == c -> word = c - 1; break
				:: word != c -> c = word
				fi
			}
		od;
		c = 0;
		inside++; assert(inside <= PLACES); inside--;
		d_step { word++ };
		futex_wake_one()
	od
}

init { word = PLACES }
