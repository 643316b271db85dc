/*
 * The three tiers with clients that are bound to no server: a client asks any of the SERVERS servers each time, and gets its answer through
 * its own channel.
 *
 * Clients are interchangeable, and so are servers: the group is S(N) x S(SERVERS).
 * Expected: no error.
 */
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef N
#define N 3
#endif

mtype = { request, response, query, result };
chan database = [SERVERS] of { mtype, chan };
chan requests[SERVERS] = [1] of { mtype, chan };
chan results[SERVERS] = [1] of { mtype };
chan responses[N] = [1] of { mtype };
chan nobody = [0] of { mtype };

proctype Client(chan own) {
	byte server = 255;
	do
	:: atomic { server == 255 -> select (server : 0 .. SERVERS - 1) };
		requests[server]!request, own;
		server = 255;
		own?response
	od
}

proctype Server(chan own, from_clients) {
	chan client = nobody;
	do
	:: from_clients?request, client;
		database!query, own;
		own?result;
		client!response;
		client = nobody
	od
}

proctype Database() {
	chan server = nobody;
	do
	:: database?query, server;
		server!result;
		server = nobody
	od
}

init {
	byte i;
	atomic {
		run Database();
		for (i : 0 .. SERVERS - 1) {
			run Server(results[i], requests[i])
		}
		for (i : 0 .. N - 1) {
			run Client(responses[i])
		}
	}
}
