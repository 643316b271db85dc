/*
 * N clients of three priorities share a resource: A clients have the lowest, the next B the middle one, the rest the highest. The
 * allocator serves, of those that ask, one of the highest priority. With ALTERNATING, two clients of priority 0 and two of priority 1
 * take turns in the numbering. With SHARING, clients A+1, A+2 and A+3 pass the resource on to each other in a ring.
 *
 * Clients of the same priority are interchangeable: the group is S(A) x S(B) x S(N-A-B); with SHARING a factor is cyclic.
 * Expected: no error. 1921 states in 337 orbits for N=7, A=2, B=3 (2353 states with SHARING).
 */
#ifndef N
#define N 7
#define A 2
#define B 3
#endif
#ifndef B
#define B (N - (A))
#endif
#include "each.h"
#define OR_ASKS(c) || link[c]?[request]
#define CHOOSE(c) :: importance[c] == level && link[c]?[request] -> chosen = link[c]; break
#define PASS(from, to) :: _pid == from && link[to]?[request] -> \
	link[to]?request; link[to]!confirmation; link[to]?finished

mtype = { request, confirmation, finished };
chan link[N + 1] = [1] of { mtype };
chan nobody = [0] of { mtype };
pid resource_user;
byte importance[N + 1];

proctype Client(chan own) {
	do
	:: own!request;
		atomic { own?confirmation; resource_user = _pid };
		atomic {
			resource_user = 0;
#ifdef SHARING
			if
			PASS(A + 1, A + 2)
			PASS(A + 2, A + 3)
			PASS(A + 3, A + 1)
			:: else
			fi;
#endif
			own!finished
		}
	od
}

proctype Allocator() {
	chan chosen = nobody;
	byte level;
	do
	:: atomic {
		(false EACH(OR_ASKS));
		level = 2;
		do
		EACH(CHOOSE)
		:: else -> level--
		od;
		level = 0;
		chosen?request
	};
		chosen!confirmation;
		d_step { chosen?finished; chosen = nobody }
	od
}

init {
	byte i;
	atomic {
		for (i : 1 .. N) {
			run Client(link[i]);
#ifdef ALTERNATING
			importance[i] = (i - 1) / 2 % 2
#else
			importance[i] = (i <= A -> 0 : (i <= A + B -> 1 : 2))
#endif
		}
		run Allocator()
	}
}
