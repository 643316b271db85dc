/*
 * Readers and writers again, with a rule that keeps writers from starving: a reader may not begin while a writer waits.
 *
 * Expected: no error. The property `writer_served` says that a writer that waits writes in the end. It holds, even without fairness: once the
 * readers that were there have left, nobody but the writer can move. In readers_writers.pml it is violated. Readers are interchangeable.
 */
#define READERS 3

byte reading;
bool writing, waiting;

active [READERS] proctype Reader() {
	do
	:: atomic { !writing && !waiting -> reading++ };
		assert(!writing);
		reading--
	od
}

active proctype Writer() {
	do
	:: waiting = true;
		atomic { reading == 0 -> writing = true; waiting = false };
		assert(reading == 0);
		writing = false
	od
}

ltl writer_served { [](waiting -> <>writing) }
