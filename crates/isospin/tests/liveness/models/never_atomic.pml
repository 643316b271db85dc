/* expect never holds holds */
/* Everything in an atomic sees the same state: g is not 0 and 1 at once, and the claim has no way out. */
bit g;

active proctype P() { do :: g = 1 - g od }

never {
accept:	if
	:: atomic { g == 0 -> g == 1 } -> goto accept
	fi
}
