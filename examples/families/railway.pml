/*
 * Two trains on two loops of four gates that share a piece of track, as students of a course on reactive systems wrote it: trains have
 * ids 0 and 1, gates 0 to 7; a train's gates begin at id * 4 and are counted up, with the last one leading back to the first.
 *
 * Trains can be exchanged, each with its loop: the group has order 2.
 * Expected: no error.
 */
mtype = { approach, leave, raise, lower };
chan signal = [0] of { mtype, byte };
chan gate_link[8] = [0] of { mtype };
bool up[8];
bool on_shared_track[2];

proctype Train(byte id) {
	byte current_gate = id * 4;
	do
	:: signal!approach(current_gate);
		up[current_gate];
		if
		:: current_gate == id * 4 -> atomic { !on_shared_track[1 - id] -> on_shared_track[id] = true }
		:: current_gate == id * 4 + 1 -> on_shared_track[id] = false
		:: else -> skip
		fi;
		assert(!(on_shared_track[0] && on_shared_track[1]));
		signal!leave(current_gate);
		if
		:: current_gate == 3 -> current_gate = 0
		:: current_gate == 7 -> current_gate = 4
		:: else -> current_gate++
		fi
	od
}

proctype Gate(byte id) {
	do
	:: gate_link[id]?raise -> up[id] = true
	:: gate_link[id]?lower -> up[id] = false
	od
}

proctype Controller() {
	byte gate = 255;
	do
	:: signal?approach(gate) -> gate_link[gate]!raise; gate = 255
	:: signal?leave(gate) -> gate_link[gate]!lower; gate = 255
	od
}

init {
	byte i;
	atomic {
		run Controller();
		for (i : 0 .. 7) {
			run Gate(i)
		}
		run Train(0);
		run Train(1)
	}
}
