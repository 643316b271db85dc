/*
 * Clients ask their server, servers ask one database, and answers go back. SERVERS servers have CLIENTS clients each; with LAST, the
 * last server has that many instead. With RENDEZVOUS no channel stores messages; else all store one, but the database's, which stores
 * one for each server.
 *
 * Clients of a server are interchangeable, and so are servers with as many clients: the group is S(CLIENTS) wr S(SERVERS).
 * Expected: no error. 103105 and 1049601 states for 2 servers with 3 and 4 clients, in 2656 and 5021 orbits; 8133 for 5, 11992 for 6;
 * with 3 servers 50396 and 130348 orbits for 3 and 4 clients.
 */
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef CLIENTS
#define CLIENTS 3
#endif
#ifdef LAST
#define N ((SERVERS - 1) * CLIENTS + LAST)
#else
#define N (SERVERS * CLIENTS)
#endif
#ifdef RENDEZVOUS
#define STORED 0
#define STORED_BY_DATABASE 0
#else
#define STORED 1
#define STORED_BY_DATABASE SERVERS
#endif

mtype = { request, response, query, result };
chan database = [STORED_BY_DATABASE] of { mtype, chan };
chan requests[SERVERS] = [STORED] of { mtype, chan };
chan results[SERVERS] = [STORED] of { mtype };
chan responses[N] = [STORED] of { mtype };
chan nobody = [0] of { mtype };

proctype Client(chan own, server) {
	do
	:: server!request, own;
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
			run Client(responses[i], requests[i / CLIENTS])
		}
	}
}
