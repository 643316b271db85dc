/*
 * Clients read and write the one value that a server keeps: chain replication with a chain of one server, after Rodríguez (2009). A client has at
 * most one request on its way and makes LIM of them. Requests arrive in any order, the server answers in the order of their arrival, and replies arrive in any
 * order. A value is named by its writer and by which of the writer's requests wrote it; nobody has written the first one.
 *
 * Expected: no error. With -D VERIFIABLE the values at a client's last two answers are kept as auxiliary data, and `strong` says that a client
 * knows the last of them, or the one before while the last is on its way: strong consistency.
 */
#ifndef SIZE
#define SIZE 3
#endif
#ifndef LIM
#define LIM 2
#endif
#define N SIZE
#define NOBODY SIZE
#include "each.h"

mtype = { idle, query, update, waiting, answered };

typedef Value {
	byte writer = NOBODY; /* who wrote it */
	byte request          /* with which request */
};

mtype stage[SIZE] = idle; /* of the client's request */
byte requests[SIZE];      /* the client's requests so far */
Value known[SIZE];        /* the value as the client knows it */
Value reply[SIZE];        /* the value in the reply to it */
Value current;            /* the value at the server */
chan pending = [SIZE] of { byte, mtype };
#ifdef VERIFIABLE
Value last[SIZE], before[SIZE]; /* the values at the server's last answer to the client, and at the one before */
#endif

inline set(to, from) {
	to.writer = from.writer; to.request = from.request
}

inline forget(value) {
	value.writer = NOBODY; value.request = 0
}

active [SIZE] proctype Client() {
end:
	do
	:: d_step { stage[_pid] == idle && requests[_pid] < LIM -> requests[_pid]++; stage[_pid] = query }
	:: d_step { stage[_pid] == idle && requests[_pid] < LIM -> requests[_pid]++; stage[_pid] = update }
	:: d_step { stage[_pid] == query -> pending!_pid, query; stage[_pid] = waiting }
	:: d_step { stage[_pid] == update -> pending!_pid, update; stage[_pid] = waiting }
	:: d_step { stage[_pid] == answered -> set(known[_pid], reply[_pid]); forget(reply[_pid]); stage[_pid] = idle }
	od
}

active proctype Server() {
	byte client = NOBODY;
end:
	do
	:: d_step {
		pending?client, query;
#ifdef VERIFIABLE
		set(before[client], last[client]); set(last[client], current);
#endif
		set(reply[client], current); stage[client] = answered; client = NOBODY
	}
	:: d_step {
		pending?client, update;
		current.writer = client; current.request = requests[client];
#ifdef VERIFIABLE
		set(before[client], last[client]); set(last[client], current);
#endif
		set(reply[client], current); stage[client] = answered; client = NOBODY
	}
	od
}

#ifdef VERIFIABLE
#define SAME(a, b) (a.writer == b.writer && a.request == b.request)
#define AGREES(i) && (stage[i - 1] == answered -> SAME(known[i - 1], before[i - 1]) : SAME(known[i - 1], last[i - 1]))
ltl strong { [](true EACH(AGREES)) }
#endif
