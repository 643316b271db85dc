/* A barrier on a futex: threads count down, the last one turns the round and wakes all others, who sleep while the round is theirs. Expected: no error. */
#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#include "futex.h"
byte arrived;
byte round[N];

active [N] proctype Thread() {
	byte mine, k;
	do
	:: skip;
		mine = word;
		d_step { arrived++ };
		if
		:: atomic { arrived == N -> arrived = 0; word = (word + 1) % ROUNDS }; futex_wake_all()
		:: atomic { arrived != N || word != mine -> skip };
			do
			:: word == mine -> futex_wait(mine)
			:: word != mine -> break
			od
		fi;
		round[_pid] = (mine + 1) % ROUNDS;
		assert(round[_pid] == word || (round[_pid] + 1) % ROUNDS == word);
		mine = 0
	od
}
