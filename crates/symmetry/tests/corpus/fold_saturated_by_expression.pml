/* order: 6
   The same as a conditional expression, and half of what is left for each. */
#define N 3
bool f[N];
byte c, d;

active [N] proctype p()
{
	byte j;
	do
	:: f[_pid] = !f[_pid]
	:: d_step {
		c = 0;
		d = 8;
		j = 0;
		do
		:: j < N ->
			c = (c + f[j] > 2 -> 2 : c + f[j]);
			d = d >> f[j];
			j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
