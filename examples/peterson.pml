/*
 * Peterson's algorithm: mutual exclusion of two processes with shared variables only.
 *
 * A process says that it wants to enter, lets the other one go first, and waits until the other does not want to or has
 * let it go first in turn. Expected: no error; both properties hold.
 */
bool want[2];
byte turn;
byte inside;

active [2] proctype P() {
	do
	:: want[_pid] = true;
		turn = 1 - _pid;
		(!want[1 - _pid] || turn == _pid);
		inside++;
critical:
		assert(inside == 1);
		inside--;
		want[_pid] = false
	od
}

ltl exclusion { [](inside <= 1) }
ltl no_overtaking { []((P[0]@critical) -> (!(P[1]@critical))) }
