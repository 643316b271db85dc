/*
 * A bounded buffer with a bug that was found in real code more than once: a condition variable is shared by producers
 * and consumers, and `signal` wakes only one of those who wait, which may be one of the wrong kind.
 *
 * Expected: an invalid end state. Everybody waits: the only wake-up went to a process that could not use it.
 * With -D BROADCAST every waiting process is woken, and nothing blocks.
 */
#define SIZE 1
#define PRODUCERS 2
#define CONSUMERS 2

byte used;
bool asleep[PRODUCERS + CONSUMERS];

/* Inside the monitor: leaves it, sleeps, and enters it again. */
inline wait_for_signal() {
	asleep[_pid] = true;
	(!asleep[_pid])
}

inline signal() {
	if
#ifdef BROADCAST
	:: asleep[0] = false; asleep[1] = false; asleep[2] = false; asleep[3] = false
#else
	:: asleep[0] -> asleep[0] = false
	:: asleep[1] -> asleep[1] = false
	:: asleep[2] -> asleep[2] = false
	:: asleep[3] -> asleep[3] = false
	:: else
#endif
	fi
}

active [PRODUCERS] proctype Producer() {
	do
	:: atomic {
		do
		:: used == SIZE -> wait_for_signal()
		:: else -> break
		od;
		used++;
		signal()
	}
	od
}

active [CONSUMERS] proctype Consumer() {
	do
	:: atomic {
		do
		:: used == 0 -> wait_for_signal()
		:: else -> break
		od;
		used--;
		signal()
	}
	od
}
