/* order: 2
   The level of the last one that has one. Levels 1 and 2 may change names, processes may not change places. */
#define N 3
byte level[N];
byte found;

active [N] proctype p()
{
	byte j;
	do
	:: level[_pid] = 0
	:: level[_pid] = 1
	:: level[_pid] = 2
	:: d_step {
		found = 0;
		j = 0;
		do
		:: j < N -> found = (level[j] > 0 -> level[j] : found); j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
