/* order: 6
   A count that stops at two. */
#define N 3
bool f[N];
byte c;

active [N] proctype p()
{
	byte j;
	do
	:: f[_pid] = !f[_pid]
	:: d_step {
		c = 0;
		j = 0;
		do
		:: j < N ->
			if
			:: f[j] && c < 2 -> c++
			:: else
			fi;
			j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
