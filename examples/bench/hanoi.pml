/* The towers of Hanoi: N discs on three pegs, one process that may make every legal move. Expected: no error. */
#ifndef N
#define N 8
#endif
#define EMPTY 255

byte disc[N];

active proctype Mover() {
	byte i, from, to, a, b;
	do
	:: d_step {
		from = 0; to = 1
	}; goto move
	:: d_step { from = 0; to = 2 }; goto move
	:: d_step { from = 1; to = 0 }; goto move
	:: d_step { from = 1; to = 2 }; goto move
	:: d_step { from = 2; to = 0 }; goto move
	:: d_step { from = 2; to = 1 }; goto move
	:: false ->
move:		atomic {
			/* Discs have their peg as value; disc 0 is the smallest. */
			i = 0; a = EMPTY; b = EMPTY;
			do
			:: i < N ->
				if :: disc[i] == from && a == EMPTY -> a = i :: else fi;
				if :: disc[i] == to && b == EMPTY -> b = i :: else fi;
				i++
			:: else -> break
			od;
			if
			:: a != EMPTY && a < b -> disc[a] = to
			:: else
			fi;
			i = 0; a = 0; b = 0; from = 0; to = 0
		}
	od
}
