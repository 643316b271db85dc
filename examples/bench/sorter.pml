/* A plant that sorts bricks: a belt of B places that moves on by itself, bricks put on at one end, a sensor in the middle, and an arm that kicks large bricks
   off near the other end. Expected: no error. */
#ifndef B
#define B 2
#endif
mtype = { none, small, large };

mtype belt[B] = none;
chan seen = [2] of { bit };
bit kicking;
byte kicked, passed;
bit moving;

active proctype Feeder() {
	do
	:: atomic { belt[0] == none -> belt[0] = small }
	:: atomic { belt[0] == none -> belt[0] = large }
	:: moving -> skip
	od
}

active proctype Belt() {
	byte i;
	do
	:: moving = 1;
		i = B - 1;
		d_step {
			if :: belt[B - 1] != none -> passed = (passed + 1) % 4 :: else fi;
			do
			:: i > 0 -> belt[i] = belt[i - 1]; i--
			:: else -> break
			od;
			belt[0] = none
		};
		moving = 0
	od
}

active proctype Sensor() {
	do
	:: belt[B / 2] == large && moving -> if :: seen!1 :: full(seen) fi; !moving || belt[B / 2] != large
	:: belt[B / 2] == small && moving -> if :: seen!0 :: full(seen) fi; !moving || belt[B / 2] != small
	od
}

active proctype Arm() {
	byte d;
	do
	:: seen?1 ->
		d = 0;
		do
		:: d < 2 -> moving; !moving; d++
		:: d == 2 -> break
		od;
		kicking = 1;
		if
		:: belt[B - 1] != none -> belt[B - 1] = none; kicked = (kicked + 1) % 4
		:: belt[B - 1] == none
		fi;
		kicking = 0;
		d = 0
	:: seen?0
	od
}
