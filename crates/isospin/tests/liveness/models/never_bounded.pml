/* expect never holds holds */
/* x is never 2 more than twice: P ends. */
byte x;

active proctype P() { x = 2; x = 0; x = 2; x = 1 }

never {
	byte n;
	do
	:: d_step { x == 2 -> n = n + 1 }
	:: d_step { else -> skip }
	:: n > 2 -> break
	od
}
