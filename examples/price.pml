/*
 * Congestion control by prices, after the model of Yuen and Tjioe (SPIN 2001) of Marbach's scheme. A link of capacity C serves packets by
 * class, the dearest class first. A user pays u for a packet of class u and wants as many as are worth it: A * A / (4 * u * u).
 * The best-effort class is the one in which capacity runs out. Whoever finds that class too crowded for its price moves to the class
 * above, all others send what is worth its price there. Users take turns in rounds, in any order.
 *
 * Expected: no error: no more is allocated than a user would pay for. The property `settles` says that the first user's class and
 * packets change by at most one from some time on; it holds for these numbers.
 */
#ifndef R
#define R 3
#endif
#define CLASSES 3
#define CAPACITY 60
#define WORTH(price) (100 / ((price) * (price)))

byte class[R], packets[R];
bool moved[R];
byte before_class = 0, before_packets = 0;

inline look(best, left, demand) {
	/* From the dearest class downwards: where does the capacity run out? */
	left = CAPACITY; best = CLASSES; demand = 0;
	do
	:: demand = 0; i = 0;
		do
		:: i < R -> demand = demand + (class[i] == best -> packets[i] : 0); i++
		:: else -> break
		od;
		if
		:: demand > left || best == 1 -> break
		:: else -> left = left - demand; best--
		fi
	od
}

inline next_round() {
	i = 0;
	do
	:: i < R && moved[i] -> i++
	:: else -> break
	od;
	if
	:: i == R -> i = 0;
		do
		:: i < R -> moved[i] = false; i++
		:: else -> break
		od
	:: else
	fi;
	i = 0
}

active [R] proctype User() {
	byte i, best;
	short left, demand, wanted;
	do
	:: d_step {
		!moved[_pid] ->
		if
		:: _pid == 0 -> before_class = class[0]; before_packets = packets[0]
		:: else
		fi;
		look(best, left, demand);
		if
		:: demand > left && best < CLASSES && best * demand >= (best + 1) * left ->
			class[_pid] = best + 1; wanted = WORTH(best + 1)
		:: else ->
			class[_pid] = best;
			wanted = (demand > left -> WORTH(best) * left / demand : WORTH(best))
		fi;
		packets[_pid] = wanted;
		assert(packets[_pid] <= WORTH(class[_pid]));
		moved[_pid] = true;
		next_round();
		best = 0; left = 0; demand = 0; wanted = 0
	}
	od
}

ltl settles { <>[](class[0] == before_class && packets[0] <= before_packets + 1 && before_packets <= packets[0] + 1) }
