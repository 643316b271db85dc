/* Bandwidth on a bus after Rether: a token goes round; a node with a reservation may send in every cycle, the others while slots are left; a server keeps the
   reservations. Expected: no error. */
#ifndef N
#define N 3
#endif
#ifndef SLOTS
#define SLOTS 3
#endif
#define RESERVABLE (SLOTS - 1)

chan token[N] = [0] of { byte };
chan ask = [0] of { byte, bit };
chan grant[N] = [0] of { bit };
bit reserved[N];
byte reservations;

proctype Node(byte me) {
	byte left;
	bit wants, yes;
	do
	:: token[me]?left ->
		if
		:: !wants && !yes -> ask!me, 1; grant[me]?yes
		:: yes -> ask!me, 0; grant[me]?_; yes = 0
		:: skip
		fi;
		if
		:: yes && left > 0 -> left--
		:: !yes && left > reservations -> left--
		:: else
		fi;
		if
		:: me + 1 < N -> token[me + 1]!left
		:: me + 1 == N -> token[0]!SLOTS
		fi;
		left = 0
	:: !wants -> wants = 1
	:: wants -> wants = 0
	od
}

active proctype Bandwidth() {
	byte who;
	bit more;
	do
	:: ask?who, more ->
		if
		:: more && reservations < RESERVABLE -> reserved[who] = 1; reservations++; grant[who]!1
		:: more && reservations >= RESERVABLE -> grant[who]!0
		:: !more -> reserved[who] = 0; reservations--; grant[who]!0
		fi;
		assert(reservations <= RESERVABLE);
		who = 0; more = 0
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run Node(i); i++
		:: i == N -> i = 0; break
		od
	};
	token[0]!SLOTS;
end:	false
}
