/* A key exchange with public keys after Needham and Schroeder (1978), and an intruder who takes part under its own name; it keeps one message that it cannot
   open, and the nonces that it has learnt. Expected: an assertion fails, by Lowe's attack (1995). */
#ifndef SESSIONS
#define SESSIONS 1
#endif
#define INTRUDER 9
mtype = { first, second, third };

/* To whom, kind, key, two values; values below 9 are nonces, others names. */
chan net = [0] of { byte, mtype, byte, byte, byte };
bit known[9];
bit agreed[4];
byte partner[4];

/* Starters have the numbers 0 and 1, answerers 2 and 3; the nonce of each is its number. */
proctype Starter(byte me) {
	byte with, nonce, who;
	if
	:: with = 2
	:: with = 3
	:: with = INTRUDER
	fi;
	partner[me] = with;
end1:	net!INTRUDER, first, with, me, me;
end2:	net?eval(me), second, eval(me), eval(me), nonce;
end3:	net!INTRUDER, third, with, nonce, 0;
	agreed[me] = 1
}

proctype Answerer(byte me) {
	byte nonce, who;
end4:	net?eval(me), first, eval(me), nonce, who;
	partner[me] = who;
end5:	net!INTRUDER, second, who, nonce, me;
end6:	net?eval(me), third, eval(me), eval(me), 0;
	agreed[me] = 1;
	assert(who >= 4 || partner[who] == me)
}

proctype Intruder() {
	mtype kind, held_kind;
	byte key, a, b, held_key, held_a, held_b;
	bit holds;
end:	do
	:: net?eval(INTRUDER), kind, key, a, b ->
		if
		:: key == INTRUDER ->
			if :: a < 9 -> known[a] = 1 :: else fi;
			if :: kind == second && b < 9 -> known[b] = 1 :: else fi
		:: key != INTRUDER -> held_kind = kind; held_key = key; held_a = a; held_b = b; holds = 1
		fi;
		kind = 0; key = 0; a = 0; b = 0
	:: holds -> end7: net!held_key, held_kind, held_key, held_a, held_b
	:: holds -> holds = 0; held_kind = 0; held_key = 0; held_a = 0; held_b = 0
	:: known[0] -> end8: net!2, first, 2, 0, 0
	:: known[1] -> end9: net!3, first, 3, 1, 1
	:: known[0] && known[2] -> end10: net!0, second, 0, 0, 2
	:: known[2] -> end11: net!2, third, 2, 2, 0
	:: known[3] -> end12: net!3, third, 3, 3, 0
	:: break
	od
}

init {
	atomic {
		run Starter(0); run Answerer(2); run Intruder();
#if SESSIONS > 1
		run Starter(1); run Answerer(3)
#endif
	}
end:	false
}
