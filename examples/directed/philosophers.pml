/*
 * Dining philosophers with forks in channels: each takes its left fork, then the right one, and puts both back.
 *
 * Expected: an invalid end state, when all have taken their left fork.
 */
#ifndef N
#define N 8
#endif

chan fork[N] = [1] of { bit };
byte ready;

init { /* lays the table, then lets them come */
	atomic {
		byte i;
		for (i : 0 .. N - 1) { fork[i]!1; run Philosopher(i) }
		ready = 1
	}
}

proctype Philosopher(byte me) {
	ready == 1;
	do
	:: fork[me]?1;
danger_hungry:
		fork[(me + 1) % N]?1;
		/* eats */
		fork[me]!1;
		fork[(me + 1) % N]!1
	od
}
