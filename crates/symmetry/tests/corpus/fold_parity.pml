/* order: 6
   Parity, and two counts in one round. */
#define N 3
bool f[N];
bool odd;
byte up, down;

active [N] proctype p()
{
	byte j;
	do
	:: f[_pid] = !f[_pid]
	:: d_step {
		odd = 0; up = 0; down = 0;
		j = 0;
		do
		:: j < N ->
			if
			:: f[j] -> odd = !odd; up++
			:: else -> down++
			fi;
			j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
