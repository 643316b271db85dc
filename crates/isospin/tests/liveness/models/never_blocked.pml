/* expect never holds holds SPIN violated holds */
/* Nothing ever moves, and the claim passes its accept label once. SPIN sees a cycle through it, but only if there is a `timeout` somewhere in the model, which
   nobody comes to here. */
bit g;

active proctype P() { g == 1; timeout }

never {
	skip;
accept:	skip;
	skip;
	do :: skip od
}
