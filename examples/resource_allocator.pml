/*
 * An allocator of one resource among clients of two classes (in the style of the resource allocator that work on symmetry
 * reduction uses as a benchmark): clients of the high class are served before those of the low class.
 *
 * Clients within a class are interchangeable: the group is S3 x S3. Expected: no error. The resource has one owner at a time,
 * and a client of the low class never gets it while one of the high class waits.
 */
#ifndef HIGH
#define HIGH 3
#endif
#ifndef LOW
#define LOW 3
#endif
#define N (HIGH + LOW)
#define NOBODY 255

byte owner = NOBODY;
bool waiting[N];
byte high_waiting;

/* Gives the resource to client i if it waits. */
inline serve(of_high_class) {
	if
	:: waiting[i] ->
		assert(of_high_class || high_waiting == 0);
		waiting[i] = false;
		high_waiting = high_waiting - of_high_class;
		owner = i
	:: else
	fi
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
			select (i : 0 .. HIGH - 1);
			serve(1)
		:: high_waiting == 0 ->
			select (i : HIGH .. N - 1);
			serve(0)
		fi
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
