/*
 * A token ring: whoever has the token may use the medium and then passes the token on.
 *
 * Expected: no error. At most one station uses the medium, and the token comes back to every station for ever, without any
 * assumption of fairness. The stations may be rotated.
 */
#ifndef N
#define N 6
#endif

chan link[N] = [1] of { bit };
byte using;
bool turn_of_first;

proctype Station(byte me) {
	do
	:: link[me]?1 ->
		using++;
		assert(using == 1);
		turn_of_first = (me == 0);
		using--;
		link[(me + 1) % N]!1
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Station(i)
		}
		link[0]!1
	}
}

ltl returns { []<>turn_of_first }
