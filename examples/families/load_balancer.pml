/*
 * N clients, one balancer, and SERVERS servers, from 1 to 5. The balancer passes a request on to any server whose queue is the
 * shortest; the server answers the client.
 *
 * Clients are interchangeable, and so are servers: the group is S(SERVERS) x S(N), and references tie the two together. Expected:
 * no error. 3312 orbits of 139105 states for 2 servers and 4 clients.
 */
#ifndef N
#define N 4
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef STORED
#define STORED N
#endif
#ifndef QUEUE
#define QUEUE 2
#endif
#define UP_TO(s, t) && len(queue[s]) <= len(queue[t])
#if SERVERS < 2
#define SHORTEST(s) true
#elif SERVERS < 3
#define SHORTEST(s) true UP_TO(s, 0) UP_TO(s, 1)
#elif SERVERS < 4
#define SHORTEST(s) true UP_TO(s, 0) UP_TO(s, 1) UP_TO(s, 2)
#elif SERVERS < 5
#define SHORTEST(s) true UP_TO(s, 0) UP_TO(s, 1) UP_TO(s, 2) UP_TO(s, 3)
#else
#define SHORTEST(s) true UP_TO(s, 0) UP_TO(s, 1) UP_TO(s, 2) UP_TO(s, 3) UP_TO(s, 4)
#endif
#define PASS_TO(s) :: SHORTEST(s) -> queue[s]!request, client

mtype = { request, response };
chan balancer = [STORED] of { mtype, chan };
chan queue[SERVERS] = [QUEUE] of { mtype, chan };
chan answer[N] = [1] of { mtype };
chan nobody = [0] of { mtype };

proctype Client(chan own) {
	do
	:: balancer!request, own;
		own?response
	od
}

proctype Balancer() {
	chan client = nobody;
	do
	:: balancer?request, client;
		if
		PASS_TO(0)
#if SERVERS > 1
		PASS_TO(1)
#endif
#if SERVERS > 2
		PASS_TO(2)
#endif
#if SERVERS > 3
		PASS_TO(3)
#endif
#if SERVERS > 4
		PASS_TO(4)
#endif
		fi;
		client = nobody
	od
}

proctype Server(chan own) {
	chan client = nobody;
	do
	:: own?request, client;
		client!response;
		client = nobody
	od
}

init {
	byte i;
	atomic {
		run Balancer();
		for (i : 0 .. SERVERS - 1) {
			run Server(queue[i])
		}
		for (i : 0 .. N - 1) {
			run Client(answer[i])
		}
	}
}
