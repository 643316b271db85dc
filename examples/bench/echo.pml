/* Election by echo with extinction on a ring with chords: each initiator starts a wave, larger names extinguish smaller ones. Expected: no error. */
#ifndef N
#define N 3
#endif
#ifndef L
#define L 2
#endif

chan to[N] = [L] of { byte, byte };
byte leader;

#define LEFT ((_pid + N - 1) % N)
#define RIGHT ((_pid + 1) % N)

active [N] proctype Node() {
	byte wave, father, count, w, from;
	wave = _pid + 1;
	father = _pid;
	to[LEFT]!wave, _pid;
	to[RIGHT]!wave, _pid;
	do
	:: to[_pid]?w, from ->
		if
		:: w < wave
		:: w == wave -> count++
		:: w > wave ->
			wave = w; father = from; count = 1;
			if
			:: from == LEFT -> to[RIGHT]!wave, _pid
			:: from != LEFT -> to[LEFT]!wave, _pid
			fi
		fi;
		if
		:: w >= wave && count == 2 ->
			if
			:: father == _pid -> leader = wave; assert(leader == N); goto elected
			:: father != _pid -> to[father]!wave, _pid
			fi
		:: else
		fi;
		w = 0; from = 0
	:: leader != 0 -> break
	od;
elected:
	skip
}
