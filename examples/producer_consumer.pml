/*
 * Producers and consumers with three semaphores: free places, filled places, and the right to touch the buffer.
 *
 * Expected: no error. With -D SWAPPED a producer takes the right to touch the buffer before it has a free place, the oldest
 * mistake in the book: an invalid end state.
 */
#define SIZE 2
#ifndef N
#define N 3
#endif

byte free = SIZE, filled, mutex = 1;
byte buffer;

inline down(semaphore) { atomic { semaphore > 0 -> semaphore-- } }
inline up(semaphore) { semaphore++ }

active [N] proctype Producer() {
	do
	::
#ifdef SWAPPED
		down(mutex);
		down(free);
#else
		down(free);
		down(mutex);
#endif
		buffer++;
		assert(buffer <= SIZE);
		up(mutex);
		up(filled)
	od
}

active [N] proctype Consumer() {
	do
	:: down(filled);
		down(mutex);
		assert(buffer > 0);
		buffer--;
		up(mutex);
		up(free)
	od
}
