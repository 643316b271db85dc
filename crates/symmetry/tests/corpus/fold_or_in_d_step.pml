/* order: 6
   Whether anybody has a token is found by joining what each has. */
#define N 3
bool has[N];
bool some;

active [N] proctype p()
{
	byte j;
	do
	:: has[_pid] = !has[_pid]
	:: d_step {
		some = false;
		j = 0;
		do
		:: j < N -> some = has[j] || some; j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
