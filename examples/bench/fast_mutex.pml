/* Lamport's fast mutual exclusion (1987): two shared names and a flag each; without competition seven accesses suffice. Expected: no error. */
#ifndef N
#define N 3
#endif

byte x, y;
bit b[N];
byte inside;

active [N] proctype Process() {
	byte j;
start:
	b[_pid] = 1;
	x = _pid + 1;
	if
	:: y != 0 -> b[_pid] = 0; y == 0; goto start
	:: y == 0
	fi;
	y = _pid + 1;
	if
	:: x == _pid + 1
	:: x != _pid + 1 ->
		b[_pid] = 0;
		j = 0;
		do
		:: j < N -> b[j] == 0; j++
		:: j == N -> break
		od;
		j = 0;
		if
		:: y == _pid + 1
		:: y != _pid + 1 -> y == 0; goto start
		fi
	fi;
	inside++; assert(inside == 1); inside--;
	y = 0;
	b[_pid] = 0;
	goto start
}
