/* expect accept violated violated */
/* expect p holds holds SPIN violated violated */
/* A formula is about states, not labels. SPIN looks for cycles through an accept label of any process or of the claim, and finds the loop of P
   while it checks p. */
bit x;

active proctype P()
{
accept:	do
	:: skip
	od
}

ltl p { [] (x == 0) }
