/* order: 1
   A number is read off the flags bit by bit. */
#define N 3
bool f[N];
byte c;

active [N] proctype p()
{
	byte j;
	do
	:: f[_pid] = !f[_pid]
	:: c > 3 -> f[_pid] = 0; c = 0
	:: c == 2 -> c = 1
	:: d_step {
		c = 0;
		j = 0;
		do
		:: j < N -> c = 2 * c + f[j]; j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
