/*
 * Clients find servers, after Derepas and Gastin: any client may work with any server, each remembers the other until they part.
 *
 * The group is S(N) x S(SERVERS).
 * Expected: no error.
 */
#ifndef N
#define N 3
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#define NONE 255

chan meet = [0] of { byte, byte };
chan part[SERVERS] = [0] of { byte };
byte partner[SERVERS] = NONE;

proctype Client(byte id) {
	byte server = NONE;
	do
	:: meet?server, eval(id);
		assert(partner[server] == id);
		part[server]!id;
		server = NONE
	od
}

proctype Server(byte id) {
	byte client = NONE;
	do
	:: atomic { client == NONE -> select (client : 0 .. N - 1); partner[id] = client };
		meet!id, client;
		part[id]?eval(client);
		atomic { partner[id] = NONE; client = NONE }
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Client(i)
		}
		for (i : 0 .. SERVERS - 1) {
			run Server(i)
		}
	}
}
