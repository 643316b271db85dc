/*
 * Leader election on a ring that carries messages in one direction (Chang and Roberts): every node sends its number
 * around, swallows numbers below its own, and is the leader when its own number comes back.
 *
 * Numbers are given to nodes so that the messages of most nodes travel far. Expected: no error; exactly one leader, and
 * it is the node with the largest number.
 */
#ifndef N
#define N 5
#endif

chan link[N] = [N] of { byte };
byte leaders;

proctype Node(byte place; byte number) {
	byte got;
	link[(place + 1) % N]!number;
end:	do
	:: link[place]?got ->
		if
		:: got > number -> link[(place + 1) % N]!got
		:: got == number ->
			assert(number == N);
			leaders++;
			assert(leaders == 1)
		:: else
		fi
	od
}

init {
	byte place;
	atomic {
		for (place : 0 .. N - 1) {
			run Node(place, N - place)
		}
	}
}

ltl elected { <>(leaders == 1) }
