/* order: 1
   Each round joins by && and by ||, so who comes last decides. */
#define N 2
bool f[N], g[N];
bool ok;

active [N] proctype p()
{
	byte j;
	do
	:: f[_pid] = !f[_pid]
	:: g[_pid] = !g[_pid]
	:: d_step {
		ok = true;
		j = 0;
		do
		:: j < N -> ok = ok && f[j]; ok = ok || g[j]; j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
