/* order: 2
   A count in steps of two that is refused above two: with one and two, who comes first decides. */
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
		if :: f[0] && c < 2 -> c = c + 1 :: else fi;
		if :: f[1] && c < 2 -> c = c + 2 :: else fi;
		if :: f[2] && c < 2 -> c = c + 2 :: else fi
	   }
	od
}
