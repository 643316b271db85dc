/* A mutex on a futex, third form: as the second, but waiters exchange the word for 2 unconditionally. Expected: no error. */
#ifndef N
#define N 3
#endif
#include "futex.h"
byte inside;

active [N] proctype Thread() {
	byte c, k;
	do
	:: compare_exchange(0, 1, c);
		if
		:: c == 0
		:: c != 0 ->
			if
			:: c == 2
			:: c != 2 -> exchange(2, c)
			fi;
			do
			:: c == 0 -> break
			:: c != 0 -> futex_wait(2); exchange(2, c)
			od
		fi;
		inside++; assert(inside == 1); inside--;
		exchange(0, c);
		if
		:: c == 2 -> futex_wake_one()
		:: c != 2
		fi;
		c = 0
	od
}
