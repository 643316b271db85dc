/* order: 6
   The maximum of what is computed for each, as a conditional expression. */
#define N 3
byte level[N];
byte most;

active [N] proctype p()
{
	byte j;
	do
	:: level[_pid] = 1
	:: level[_pid] = 2
	:: d_step {
		most = 0;
		j = 0;
		do
		:: j < N -> most = (level[j] + 1 > most -> level[j] + 1 : most); j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
