/*
 * The cube of eight nodes with its neighbours in a table instead of computed: next[node * 3 + dimension]. A packet goes from node to
 * node in any direction. With FIXED it starts at node 0.
 *
 * The group is the cube's, of order 48; with FIXED that of a corner, of order 6.
 * Expected: no error.
 */
chan link[8] = [1] of { bit };
byte next[24] = { 1, 2, 4, 0, 3, 5, 3, 0, 6, 2, 1, 7, 5, 6, 0, 4, 7, 1, 7, 4, 2, 6, 5, 3 };

proctype Node(byte id) {
	do
	:: link[id]?_ ->
		if
		:: link[next[id * 3]]!1
		:: link[next[id * 3 + 1]]!1
		:: link[next[id * 3 + 2]]!1
		fi
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. 7) {
			run Node(i)
		}
	}
#ifdef FIXED
	link[0]!1
#else
	if
	:: link[0]!1 :: link[1]!1 :: link[2]!1 :: link[3]!1 :: link[4]!1 :: link[5]!1 :: link[6]!1 :: link[7]!1
	fi
#endif
}
