/* Anderson's queue lock: a process draws a slot and waits for its turn there; each leaves the next slot open. Expected: no error. */
#ifndef N
#define N 3
#endif

bit open[N];
byte next;
byte inside;

active [N] proctype Process() {
	byte slot;
	do
	:: atomic { slot = next; next = (next + 1) % N };
		open[slot] == 1 || (slot == 0 && open[0] == 1);
		open[slot] = 0;
		inside++; assert(inside == 1); inside--;
		open[(slot + 1) % N] = 1;
		slot = 0
	od
}

init { open[0] = 1 }
