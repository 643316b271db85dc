/*
 * Mutual exclusion through a server: clients ask over one rendezvous channel, and each hears on a channel of its own.
 *
 * The server keeps the queue of waiting clients in a buffered channel. Expected: no error; at most one client is inside,
 * and all clients are interchangeable.
 */
#ifndef N
#define N 5
#endif

mtype = { request, release };

chan server = [0] of { mtype, byte };
chan grant[N] = [0] of { bit };
chan queue = [N] of { byte };
byte inside;

active [N] proctype Client() {
end:	do
	:: server!request, _pid;
		grant[_pid]?1;
		inside++;
		assert(inside == 1);
		inside--;
		server!release, _pid
	od
}

active proctype Server() {
	byte who;
	bool busy;
end:	do
	:: server?request, who ->
		if
		:: !busy -> busy = true; grant[who]!1
		:: else -> queue!who
		fi
	:: server?release, who ->
		if
		:: queue?who -> grant[who]!1
		:: empty(queue) -> busy = false
		fi
	od
}
