/*
 * Routing in a hypercube: nodes are numbered 0 to 7, and two of them are linked when their numbers differ in one bit. A
 * message goes to any neighbour that is closer to its goal, so it arrives after as many hops as bits differ.
 *
 * Expected: no error, and every message arrives. The symmetries of the cube that keep the messages are symmetries of the
 * model: they exchange dimensions and nodes at once, not nodes freely.
 */
#define DIMENSIONS 3
#define MESSAGES 3

byte arrived;

proctype Message(byte from; byte goal) {
	byte at = from, hops;
	do
	:: (at ^ goal) & 1 -> at = at ^ 1; hops++
	:: (at ^ goal) & 2 -> at = at ^ 2; hops++
	:: (at ^ goal) & 4 -> at = at ^ 4; hops++
	:: at == goal -> break
	od;
	assert(hops <= DIMENSIONS);
	arrived++
}

init {
	atomic {
		run Message(0, 7);
		run Message(6, 1);
		run Message(5, 2)
	};
	(arrived == MESSAGES)
}

ltl arrives { <>(arrived == MESSAGES) }
