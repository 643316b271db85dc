/*
 * A star: N clients name themselves to one server, which answers each through a channel of its own.
 *
 * Clients are interchangeable: the group is S(N), and ids travel in messages and in a variable of the server.
 * Expected: no error.
 */
#ifndef N
#define N 4
#endif

chan requests = [2] of { byte };
chan answers[N] = [1] of { byte };

proctype Client(byte id) {
	byte got = N;
	do
	:: requests!id;
		answers[id]?got;
		assert(got == id);
		got = N
	od
}

proctype Server() {
	byte client = N;
	do
	:: requests?client;
		answers[client]!client;
		client = N
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Client(i)
		}
		run Server()
	}
}
