/*
 * Clients and servers in pairs, after the measured system of Derepas and Gastin: a client asks for any server that is free, each remembers the
 * other while they work, and they part. A client is idle, asks or rests when it has no server, and is greeted, served or done when it has one.
 *
 * The group is S(N) x S(N). There are sum over k of C(N,k)^2 k! 3^N states (63, 918, 16,929, 375,678 for N = 2 to 5) and C(N+5,5) orbits: 21, 56, 126, 252.
 * Expected: no error.
 */
#ifndef N
#define N 3
#endif
#define NOBODY 255
#include "each.h"

byte client_of[N] = NOBODY; /* whom each server works for */

#define TAKE(i) :: client_of[i - 1] == NOBODY -> server = i - 1

active [N] proctype Client() {
	byte server = NOBODY;
	do
	:: true;
		/* asks */ atomic {
			if
			EACH(TAKE)
			fi;
			client_of[server] = _pid
		};
		/* greeted */ assert(client_of[server] == _pid);
		/* served */ assert(client_of[server] == _pid);
		/* done */ atomic { client_of[server] = NOBODY; server = NOBODY };
		/* rests */ true
	od
}
