/* expect never violated violated */
/* A condition of both the claim's variable and the system's. */
byte x, limit = 2;
bit seen[2];

active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }

never {
	do
	:: x > limit && !seen[1] -> seen[1] = 1
	:: x <= limit
	:: seen[1] && x == 0 -> break
	od
}
