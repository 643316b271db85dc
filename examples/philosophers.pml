/*
 * Dining philosophers: each needs both forks beside it and takes the left one first.
 *
 * Expected: an invalid end state. When all have taken their left fork, nobody can go on. The model is symmetric under
 * rotation of the table. With -D POLITE the last philosopher takes its forks in the other order, and nothing blocks.
 */
#ifndef N
#define N 6
#endif
#define LEFT _pid
#define RIGHT ((_pid + 1) % N)

bool taken[N];

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true } }
inline release(fork) { taken[fork] = false }

active [N] proctype Philosopher() {
	do
	:: skip; /* thinks */
#ifdef POLITE
		if
		:: _pid == N - 1 -> take(RIGHT); take(LEFT)
		:: else -> take(LEFT); take(RIGHT)
		fi;
#else
		take(LEFT);
		take(RIGHT);
#endif
		skip; /* eats */
		release(LEFT);
		release(RIGHT)
	od
}
