/* A lock with bounded delays after Alur and Taubenfeld: two names and a flag; a step may take up to K ticks, and who waits, waits longer. Expected: no error. */
#ifndef N
#define N 2
#endif
#ifndef K
#define K 2
#endif
#define IDLE 255

byte x, y;
bit z;
byte timer[N] = IDLE;
byte inside;

inline tick(i) { if :: timer[i] > 0 && timer[i] != IDLE -> timer[i]-- :: else fi }

active [N] proctype Process() {
start:
	x = _pid + 1;
	timer[_pid] = K;
	if
	:: y != 0 -> timer[_pid] = IDLE; y == 0; goto start
	:: y == 0
	fi;
	y = _pid + 1;
	timer[_pid] = K;
	if
	:: x != _pid + 1 ->
		timer[_pid] = K + 1;
		timer[_pid] == 0;
		timer[_pid] = IDLE;
		if
		:: y != _pid + 1 -> y == 0; goto start
		:: y == _pid + 1
		fi;
		z == 0
	:: x == _pid + 1 -> z = 1; timer[_pid] = IDLE
	fi;
	if
	:: y == _pid + 1 -> inside++; inside--; z = 0; y = 0
	:: y != _pid + 1 -> z = 0
	fi;
	goto start
}

active proctype Time() {
	byte i;
	do
	:: d_step {
		i = 0;
		do
		:: i < N -> tick(i); i++
		:: else -> break
		od;
		i = 0
	}
	od
}
