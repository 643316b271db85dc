/*
 * N caches with one line each keep coherent over a bus: at most one is modified, and then all others are invalid.
 *
 * Caches are interchangeable: the group is S(N). Whoever has the bus looks at all others in one indivisible loop.
 * Expected: no error.
 */
#ifndef N
#define N 4
#endif

mtype = { invalid, shared, modified };
mtype line[N] = invalid;
byte bus = N;

proctype Cache(byte id) {
	byte other;
	do
	:: line[id] == invalid ->
		atomic { bus == N -> bus = id };
		d_step {
			other = 0;
			do
			:: other < N ->
				if
				:: line[other] == modified -> line[other] = shared
				:: else
				fi;
				other++
			:: else -> break
			od;
			other = 0;
			line[id] = shared;
			bus = N
		}
	:: line[id] != modified ->
		atomic { bus == N -> bus = id };
		d_step {
			other = 0;
			do
			:: other < N -> line[other] = invalid; other++
			:: else -> break
			od;
			other = 0;
			line[id] = modified;
			bus = N
		}
	:: line[id] != invalid ->
		atomic { bus == N -> line[id] = invalid }
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Cache(i)
		}
	}
}
