/* Szymanski's lock (1988): a waiting room with a door that the last one in closes. Each flag is looked at by itself. Expected: no error. */
#ifndef N
#define N 2
#endif

byte flag[N];
byte inside;

active [N] proctype Process() {
	byte j;
	bit one;
	do
	:: flag[_pid] = 1;
		/* Nobody may be in the doorway or behind it. */
		j = 0;
		do
		:: j < N -> flag[j] < 3; j++
		:: j == N -> break
		od;
		flag[_pid] = 3;
		j = 0; one = 0;
		do
		:: j < N -> if :: flag[j] == 1 -> one = 1; j = N :: flag[j] != 1 -> j++ fi
		:: j == N -> break
		od;
		if
		:: one ->
			flag[_pid] = 2;
			j = 0;
			do
			:: flag[j] == 4 -> break
			:: flag[j] != 4 -> j = (j + 1) % N
			od
		:: !one
		fi;
		flag[_pid] = 4;
		j = _pid + 1;
		do
		:: j < N -> flag[j] < 2 || flag[j] > 3; j++
		:: j >= N -> break
		od;
		j = 0;
		do
		:: j < _pid -> flag[j] < 2; j++
		:: j >= _pid -> break
		od;
		inside++; assert(inside == 1); inside--;
		flag[_pid] = 0;
		j = 0; one = 0
	od
}
