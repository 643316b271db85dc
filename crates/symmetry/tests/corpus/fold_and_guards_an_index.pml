/* order: 1
   What is joined by && may be an error, and who comes first decides whether it is asked: place 2 is out of range. */
#define N 2
byte place[N];
bool free[2];

active [N] proctype p()
{
	byte j;
	bool all;
	do
	:: place[_pid] = (place[_pid] + 1) % 3
	:: free[0] = !free[0]
	:: d_step {
		all = true;
		j = 0;
		do
		:: j < N -> all = all && free[place[j]]; j++
		:: else -> break
		od;
		j = 0
	   }
	od
}
