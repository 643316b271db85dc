/* A mutex on a futex, second form: 0 is free, 1 locked, 2 locked with waiters; threads that had to wait set 2 by compare and exchange. Expected: no error. */
#ifndef N
#define N 3
#endif
#include "futex.h"
byte inside;

active [N] proctype Thread() {
	byte c, k;
	do
	:: compare_exchange(0, 1, c);
		do
		:: c == 0 -> break
		:: c != 0 ->
			if
			:: c == 2
			:: c != 2 -> compare_exchange(1, 2, c)
			fi;
			if
			:: c != 0 -> futex_wait(2)
			:: c == 0
			fi;
			compare_exchange(0, 2, c)
		od;
		inside++; assert(inside == 1); inside--;
		d_step { c = word; word-- };
		if
		:: c != 1 -> word = 0; futex_wake_one()
		:: c == 1
		fi;
		c = 0
	od
}
