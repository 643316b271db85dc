/* expect never holds holds */
/* x is never 2 more than twice: P ends. */
byte x, n;

active proctype P() { x = 2; x = 0; x = 2; x = 1 }

never {
	do
	:: d_step { x == 2 -> n = n + 1 }
	:: x != 2
	:: n > 2 -> break
	od
}
