/* order: 1
   One joins by && and the other by ||, so who comes last decides. */
#define N 2
bool flag[N];
bool ok;

active proctype toggle0() { do :: flag[0] = !flag[0] od }
active proctype toggle1() { do :: flag[1] = !flag[1] od }
active proctype watch()
{
	do
	:: d_step { ok = ok && flag[0]; ok = ok || flag[1] }
	od
}
