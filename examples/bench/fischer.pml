/* Fischer's lock with discrete time: whoever finds the lock free writes its name within K ticks, then waits longer than K, and enters if the name is
   still there. Time does not go on while somebody has to write. Expected: no error. */
#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif
#define NEVER 255

byte lock;
byte due[N] = NEVER;
byte wait[N];
byte inside;

active [N] proctype Process() {
	do
	:: atomic { lock == 0; due[_pid] = K };
		atomic { lock = _pid + 1; due[_pid] = NEVER; wait[_pid] = K + 1 };
		wait[_pid] == 0;
		if
		:: lock == _pid + 1;
			inside++; assert(inside == 1); inside--;
			lock = 0
		:: lock != _pid + 1
		fi
	od
}

active proctype Time() {
	byte i;
	bit late;
	do
	:: d_step {
		i = 0; late = 0;
		do
		:: i < N -> if :: due[i] == 0 -> late = 1 :: else fi; i++
		:: else -> break
		od;
		i = 0;
		do
		:: i < N && !late ->
			if :: due[i] != NEVER -> due[i]-- :: else fi;
			if :: wait[i] > 0 -> wait[i]-- :: else fi;
			i++
		:: else -> break
		od;
		i = 0; late = 0
	}
	od
}
