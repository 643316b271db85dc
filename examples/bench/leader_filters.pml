/* Election by filters: processes pass one splitter after the other, each a door and a name; at each at least one and not all go on.
   The last one is the leader. Expected: no error. */
#ifndef N
#define N 3
#endif

byte name[N + 1];
bit closed[N + 1];
byte leaders;

active [N] proctype Process() {
	byte at;
	do
	:: at < N ->
		name[at] = _pid + 1;
		if
		:: closed[at] -> goto lost
		:: !closed[at]
		fi;
		closed[at] = 1;
		if
		:: name[at] == _pid + 1 -> break
		:: name[at] != _pid + 1
		fi;
		if
		:: closed[at + 1] -> goto lost
		:: !closed[at + 1]
		fi;
		at++
	:: at == N -> break
	od;
	atomic { leaders++; assert(leaders <= N) };
lost:
	skip
}
