/* expect progress violated violated SPIN violated holds */
/* Q toggles for ever, P waits for ever: a fair cycle without progress. SPIN misses it with -f because Q can also end. */
bit x;

active proctype P() { progress: skip; false }

active proctype Q()
{
	do
	:: x = 1 - x
	:: true -> break
	od
}
