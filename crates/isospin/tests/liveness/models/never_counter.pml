/* expect never violated violated */
/* The claim counts: x is 2 for the third time. */
byte x, n;

active proctype P() { do :: x = (x + 1) % 3 od }

never {
	do
	:: x == 2 -> n++
	:: x != 2
	:: n > 2 -> break
	od;
accept:	do
	:: true
	od
}
