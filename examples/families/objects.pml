/*
 * Clients and objects, after Rodríguez: a client asks the server for any object, which belongs to it until it is
 * given back if nobody else has it.
 *
 * Clients are interchangeable, and so are objects, which are values and no processes: the group is S(N) x S(OBJECTS).
 * Expected: no error.
 */
#ifndef N
#define N 3
#endif
#ifndef OBJECTS
#define OBJECTS 3
#endif
#define NONE 255

chan take = [0] of { byte, byte };
chan give_back = [0] of { byte };
byte owner[OBJECTS] = NONE;

proctype Client(byte id) {
	byte object = NONE;
	do
	:: atomic { object == NONE -> select (object : 0 .. OBJECTS - 1) };
		take!id, object;
		if
		:: owner[object] == id -> give_back!object
		:: else
		fi;
		object = NONE
	od
}

proctype Server() {
	byte client = NONE, object = NONE;
	do
	:: atomic { take?client, object;
		if
		:: owner[object] == NONE -> owner[object] = client
		:: else
		fi;
		client = NONE; object = NONE
	}
	:: atomic { give_back?object;
		assert(owner[object] != NONE);
		owner[object] = NONE; object = NONE
	}
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
