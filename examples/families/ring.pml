/*
 * A ring of N nodes in which a token may start anywhere and goes round. With BOTH it may turn back.
 *
 * The group is the cyclic one of order N; with BOTH the dihedral one of order 2N.
 * Expected: no error.
 */
#ifndef N
#define N 5
#endif

chan link[N] = [1] of { bit };
bit started;

proctype Node(byte id) {
	do
	:: atomic { !started -> started = 1; link[id]!1 }
	:: link[id]?_ ->
		if
		:: link[(id + 1) % N]!1
#ifdef BOTH
		:: link[(id + N - 1) % N]!1
#endif
		fi
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Node(i)
		}
	}
}
