/*
 * A device driver: a thread and an interrupt handler share a queue that a spin lock protects. The handler runs on the same processor, so the thread stands still
 * until the handler is done.
 *
 * Expected: an invalid end state. If the interrupt comes while the thread holds the lock, the handler waits for a lock whose owner
 * cannot run. With -D MASK the thread switches interrupts off while it holds the lock, and nothing goes wrong.
 */
#define SLOTS 2

bool locked, masked, interrupted;
byte used;

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* The processor: a thread runs only outside of the handler. */
#define THREAD !interrupted

active proctype Thread() provided (THREAD) {
end:	do
	:: used > 0 ->
#ifdef MASK
		masked = true;
#endif
		lock();
		used--;
		unlock();
#ifdef MASK
		masked = false
#endif
	od
}

active proctype Device() {
end:	do
	:: atomic { !masked && !interrupted && used < SLOTS -> interrupted = true };
		lock();
		used++;
		assert(used <= SLOTS);
		unlock();
		interrupted = false
	od
}
