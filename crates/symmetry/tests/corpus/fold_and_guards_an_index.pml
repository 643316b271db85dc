/* order: 1
   What is joined by && may be an error, and who comes first decides whether it is asked: 2 of place is out of range. */
#define N 2
byte place[N];
bool free[2];

active proctype watch()
{
	bool all;
	do
	:: d_step {
		all = true;
		all = all && free[place[0]];
		all = all && (place[1] != 2)
	   }
	:: d_step { place[0] = 1 - place[0] }
	:: d_step { place[1] = (place[1] + 1) % 3 }
	:: d_step { free[0] = !free[0]; free[1] = !free[1] }
	od
}
active proctype other()
{
	do
	:: place[0] == 0 -> place[0] = 1
	od
}
