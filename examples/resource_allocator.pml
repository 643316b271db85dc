/*
 * An allocator of two kinds of resources with priorities among symmetric clients (in the style of the resource allocator
 * that work on symmetry reduction uses as a benchmark): clients of the high class are served before those of the low class.
 *
 * Clients within a class are interchangeable: the group is S3 x S3. Expected: no error. A resource has one owner at a time,
 * and a client of the low class never gets a resource while one of the high class waits for it.
 */
#define HIGH 3
#define LOW 3
#define N (HIGH + LOW)
#define NOBODY 255

byte owner = NOBODY;
bool waiting[N];
byte high_waiting;

/* Any waiting client of a range. */
inline choose(first, last) {
	i = first;
	do
	:: i < last -> i++
	:: waiting[i] -> break
	od
}

proctype Client(byte me; bool high) {
end:	do
	:: d_step { waiting[me] = true; high_waiting = high_waiting + high };
		(owner == me);
		assert(!waiting[me]);
		owner = NOBODY
	od
}

active proctype Allocator() {
	byte i;
end:	do
	:: atomic {
		owner == NOBODY ->
		if
		:: high_waiting > 0 ->
			choose(0, HIGH - 1);
			high_waiting--
		:: high_waiting == 0 && (waiting[3] || waiting[4] || waiting[5]) ->
			choose(HIGH, N - 1)
		fi;
		assert(waiting[i]);
		waiting[i] = false;
		owner = i;
		i = 0
	}
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Client(i, i < HIGH)
		}
	}
}
