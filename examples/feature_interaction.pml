/*
 * Features of a telephone exchange that spoil each other, after Calder and Miller (SPIN 2001). User 0 subscribes to dial screening: it must never
 * be put through to user 2. User 1 may subscribe to forwarding: calls to it go to user 2.
 *
 * Expected: no error with screening alone, and none with forwarding alone. With -D FORWARDING both are there, and the screened connection comes
 * about: screening looks at the number that was dialled, forwarding changes it afterwards. With -D LATE as well, screening looks
 * again after forwarding, and nothing goes wrong.
 */
#define USERS 3
#define NOBODY 7

mtype = { idle, dialling, ringing, connected };

mtype state[USERS] = idle;
byte partner[USERS] = NOBODY;
byte forward_to[USERS] = NOBODY;
byte screened[USERS] = NOBODY;

proctype User(byte me) {
	byte number;
	do
	:: atomic { state[me] == idle -> state[me] = dialling }
	:: atomic {
		state[me] == dialling ->
		select (number : 0 .. USERS - 1);
		if
		:: number == me || screened[me] == number -> state[me] = idle
		:: else ->
			if
			:: forward_to[number] != NOBODY -> number = forward_to[number]
			:: else
			fi;
			if
#ifdef LATE
			:: number != me && state[number] == idle && screened[me] != number ->
#else
			:: number != me && state[number] == idle ->
#endif
				state[me] = ringing; partner[me] = number;
				state[number] = ringing; partner[number] = me
			:: else -> state[me] = idle
			fi
		fi;
		number = 0
	}
	:: atomic { /* the called user answers, and both are connected */
		state[me] == ringing ->
		number = partner[me];
		state[me] = connected; state[number] = connected;
		assert(screened[me] != number && screened[number] != me);
		number = 0
	}
	:: atomic { /* somebody hangs up */
		state[me] == ringing || state[me] == connected ->
		number = partner[me];
		state[me] = idle; partner[me] = NOBODY;
		state[number] = idle; partner[number] = NOBODY;
		number = 0
	}
	od
}

init {
	atomic {
		screened[0] = 2; screened[2] = 0;
#ifdef FORWARDING
		forward_to[1] = 2;
#endif
		run User(0); run User(1); run User(2)
	}
}
