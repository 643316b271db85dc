/* expect p violated violated */
/* expect r violated violated */
/* Where x is 5 the only step goes wrong; what the formula has seen by then is enough. */
byte x, a[2];
bit other;

active proctype P() {
	do
	:: x = 5; a[x] = 1
	:: x = 0
	od
}

ltl p { [] (x != 5) }
ltl r { (x == 0) W other }
