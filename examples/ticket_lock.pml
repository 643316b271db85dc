/*
 * A ticket lock: a process takes the next ticket in one atomic step and waits until its number is shown.
 *
 * Tickets are counted modulo N; since at most N are out at a time, no two of them are equal. Expected: no error, and the
 * lock is fair: every process that waits is let in, because sooner or later all others wait for it.
 */
#ifndef N
#define N 5
#endif

byte next_ticket, shown;
byte inside;

active [N] proctype P() {
	byte mine;
	do
	:: atomic { mine = next_ticket; next_ticket = (next_ticket + 1) % N };
waiting:
		(mine == shown);
		inside++;
critical:
		assert(inside == 1);
		inside--;
		mine = 0;
		shown = (shown + 1) % N
	od
}

ltl served { []((P[0]@waiting) -> <>(P[0]@critical)) }
