/* Peterson's filter lock for N processes: N - 1 levels, at each the last one to arrive waits while anybody is as far. Expected: no error. */
#ifndef N
#define N 3
#endif

byte level[N];
byte last[N];
byte inside;

active [N] proctype Process() {
	byte at, k;
	do
	:: at = 1;
		do
		:: at < N ->
			level[_pid] = at;
			last[at] = _pid;
			k = 0;
			do
			:: k < N ->
				k == _pid || level[k] < at || last[at] != _pid;
				k++
			:: k == N -> break
			od;
			at++
		:: at == N -> break
		od;
		inside++; assert(inside == 1); inside--;
		level[_pid] = 0;
		at = 0; k = 0
	od
}
