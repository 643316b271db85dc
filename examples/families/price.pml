/*
 * Congestion control by prices, with the parameters of Yuen and Tjioe: R users, five classes, class u costs u, a link of capacity 2000. A packet is worth
 * 100 times the square root to a user, so that a user who pays p for each packet that gets through asks for 2500 / (p * p). The link serves the dearest class
 * first. The best-effort class is the one in which capacity runs out, the premium class the next one; users who find both equally dear choose freely. All move once in a round, in any order.
 *
 * The group is S(R). Expected: no error. `settles` (in the end nobody moves by more than one packet) does not hold for R = 3, and holds for R = 4.
 */
#ifndef R
#define R 3
#endif
#define CLASSES 5
#define CAPACITY 2000
#define WORTH(price) (2500 / ((price) * (price)))

short asked[CLASSES + 1]; /* packets of each class */
byte class[R];
short packets[R];
bool moved[R], round; /* who has moved in this round is unlike the round */
bool restless;

/* From the dearest class downwards: in which class does the capacity run out, and how much is left for it? */
inline look() {
	left = CAPACITY; best = CLASSES;
	do
	:: best > 1 && asked[best] < left -> left = left - asked[best]; best--
	:: else -> break
	od;
	wanted = (asked[best] < left -> left : asked[best])
}

inline ask(c, n) {
	restless = class[me] != c || packets[me] > n + 1 || n > packets[me] + 1;
	asked[class[me]] = asked[class[me]] - packets[me];
	class[me] = c; packets[me] = n;
	asked[class[me]] = asked[class[me]] + packets[me]
}

inline next_round() {
	all = true;
	for (i : 0 .. R - 1) {
		all = all && (moved[i] != round)
	}
	round = (all -> !round : round)
}

proctype User(byte me) {
	byte i, best;
	bool all;
	short left, wanted;
	do
	:: atomic {
		moved[me] == round ->
		d_step { look() };
		if
		:: best < CLASSES && best * wanted >= (best + 1) * left -> ask((best + 1), WORTH(best + 1))
		:: best == CLASSES || best * wanted <= (best + 1) * left -> ask(best, (WORTH(best) * left / wanted))
		fi;
		moved[me] = !round;
		d_step { next_round(); i = 0; best = 0; all = false; left = 0; wanted = 0 }
	}
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. R - 1) {
			run User(i)
		}
	}
}

ltl settles { <>[]!restless }
