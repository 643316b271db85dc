/*
 * Packets wander through a hypercube of DIMENSIONS dimensions, from 2 to 5. A node that gets a packet passes it on to a neighbour
 * that is one step closer to its goal; at the goal the packet gets a new one. There are two packets, or one with SINGLE.
 *
 * The nodes' numbers may be reflected and rotated like the corners of the cube: the group has order 2^d * d!, and is neither a
 * symmetric group nor made of such. Expected: no error.
 */
#ifndef DIMENSIONS
#define DIMENSIONS 3
#endif
#if DIMENSIONS == 2
#define N 4
#elif DIMENSIONS == 3
#define N 8
#elif DIMENSIONS == 4
#define N 16
#elif DIMENSIONS == 5
#define N 32
#endif
#include "each.h"
#define AIM_AT(c) :: id != c - 1 -> goal = c - 1
#define START_AT(c) :: link[c - 1]!c - 1
#define PASS_ALONG(bit) :: (goal ^ id) & bit -> link[id ^ bit]!goal

chan link[N] = [1] of { byte };

proctype Node(byte id) {
	byte goal = id;
	do
	:: atomic {
		link[id]?goal;
		if
		:: goal == id ->
			if
			EACH(AIM_AT)
			fi
		:: else
		fi
	};
		atomic {
			if
			PASS_ALONG(1)
			PASS_ALONG(2)
#if DIMENSIONS > 2
			PASS_ALONG(4)
#endif
#if DIMENSIONS > 3
			PASS_ALONG(8)
#endif
#if DIMENSIONS > 4
			PASS_ALONG(16)
#endif
			fi;
			goal = id
		}
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Node(i)
		}
	}
	if
	EACH(START_AT)
	fi;
#ifndef SINGLE
	if
	EACH(START_AT)
	fi
#endif
}
