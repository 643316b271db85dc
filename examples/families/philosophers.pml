/*
 * N dining philosophers. With EITHER they take any fork first and lay both down at once.
 *
 * The table can be turned: the cyclic group of order N. With EITHER it can be turned over, too: the dihedral group of order 2N.
 * Expected: a deadlock, in which everybody holds one fork.
 */
#ifndef N
#define N 5
#endif
#define LEFT id
#define RIGHT ((id + 1) % N)

bit taken[N];

proctype Philosopher(byte id) {
	do
	:: if
		:: atomic { !taken[LEFT] -> taken[LEFT] = 1 };
			atomic { !taken[RIGHT] -> taken[RIGHT] = 1 }
#ifdef EITHER
		:: atomic { !taken[RIGHT] -> taken[RIGHT] = 1 };
			atomic { !taken[LEFT] -> taken[LEFT] = 1 }
#endif
		fi;
		atomic { taken[LEFT] = 0; taken[RIGHT] = 0 }
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Philosopher(i)
		}
	}
}
