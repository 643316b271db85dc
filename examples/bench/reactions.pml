/* A cycle of reactions on counts of substances, with energy that some need and some give: each reaction is a process. Expected: no error. */
#ifndef N
#define N 2
#endif
#ifndef G
#define G 2
#endif

byte amount[N];
byte energy = G;

active [N] proctype Reaction() {
	do
	:: atomic { amount[_pid] > 0 && energy > 0 && _pid % 2 == 0 -> amount[_pid]--; energy-- };
		skip;
		amount[(_pid + 1) % N]++
	:: atomic { amount[_pid] > 0 && energy < 2 * G && _pid % 2 == 1 -> amount[_pid]--; energy++ };
		amount[(_pid + 1) % N]++
	:: atomic { _pid == 0 && amount[0] == 0 && energy == G -> amount[0] = G }
	:: atomic { amount[_pid] > G -> amount[_pid]-- }
	od
}
