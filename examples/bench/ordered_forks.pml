/* Philosophers who take the fork with the smaller number first; a fork is a variable that is tested and set. Expected: no error. */
#ifndef N
#define N 8
#endif

byte fork[N];

active [N] proctype Philosopher() {
	byte first = (_pid == N - 1 -> 0 : _pid);
	byte second = (_pid == N - 1 -> _pid : _pid + 1);
	do
	:: atomic { fork[first] == 0; fork[first] = _pid + 1 };
		atomic { fork[second] == 0; fork[second] = _pid + 1 };
		assert(fork[first] == _pid + 1 && fork[second] == _pid + 1);
		fork[second] = 0;
		fork[first] = 0
	od
}
