/*
 * Readers and writers share a record: any number of readers at a time, or one writer alone.
 *
 * The lock is a monitor with two counters. Expected: no error. Writers may starve, because readers can keep the record among
 * themselves: `writer_served` is violated, also under weak fairness.
 */
#define READERS 3
#define WRITERS 2

byte reading, writing;
bool waiting, written;

active [READERS] proctype Reader() {
	do
	:: atomic { writing == 0 -> reading++ };
		assert(writing == 0);
		reading--
	od
}

active [WRITERS] proctype Writer() {
	do
	:: waiting = true;
		atomic { reading == 0 && writing == 0 -> writing++ };
		written = true;
		assert(reading == 0 && writing == 1);
		written = false;
		waiting = false;
		writing--
	od
}

ltl writer_served { [](waiting -> <>written) }
