/*
 * The MSI protocol: every cache holds one line as modified, shared or invalid, and a bus makes their changes one at a time.
 *
 * Expected: no error. Whenever a cache may write, all others are invalid, and every valid copy equals the last value
 * written. The caches are interchangeable, and so are values that nobody computes with. With -D FORGET a read does not
 * write a modified line back: the reader sees an old value, and an assertion is violated.
 */
#ifndef N
#define N 5
#endif
#define NOBODY 255

mtype = { invalid, shared, modified };

mtype line[N] = invalid;
bit copy[N];
bit memory, latest;
byte owner = NOBODY; /* the cache whose line is modified */

active [N] proctype Cache() {
	byte i;
	bit value;
	do
	:: atomic { /* read */
		line[_pid] == invalid ->
		if
		:: owner != NOBODY ->
#ifndef FORGET
			memory = copy[owner];
#endif
			line[owner] = shared;
			owner = NOBODY
		:: else
		fi;
		copy[_pid] = memory;
		line[_pid] = shared
	}
	:: atomic { /* write */
		if
		:: value = 0
		:: value = 1
		fi;
		for (i : 0 .. N - 1) {
			if
			:: i != _pid -> line[i] = invalid; copy[i] = 0
			:: else
			fi
		}
		i = 0;
		line[_pid] = modified;
		owner = _pid;
		copy[_pid] = value;
		latest = value;
		value = 0
	}
	:: atomic { /* evict */
		line[_pid] != invalid ->
		if
		:: line[_pid] == modified -> memory = copy[_pid]; owner = NOBODY
		:: else
		fi;
		line[_pid] = invalid;
		copy[_pid] = 0
	}
	:: line[_pid] != invalid -> assert(line[_pid] == invalid || copy[_pid] == latest)
	od
}
