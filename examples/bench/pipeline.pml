/* Stages that pass items on through channels and work on them in between, each with local counters: nearly every step is local. Expected: no error. */
#ifndef N
#define N 2
#endif
#ifndef WORK
#define WORK 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

chan pipe[N + 1] = [1] of { byte };

active proctype Source() {
	byte item;
	do
	:: pipe[0]!item; item = (item + 1) % ITEMS
	od
}

proctype Stage(byte me) {
	byte item, work;
	do
	:: pipe[me]?item ->
		work = 0;
		do
		:: work < WORK -> work++
		:: work == WORK -> work = 0; break
		od;
		pipe[me + 1]!item;
		item = 0
	od
}

active proctype Sink() {
	byte item, expected;
	do
	:: pipe[N]?item -> assert(item == expected); expected = (expected + 1) % ITEMS; item = 0
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run Stage(i); i++
		:: i == N -> break
		od;
		i = 0
	};
end:	false
}
