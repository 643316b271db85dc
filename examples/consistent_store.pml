/*
 * A server keeps a value, and clients keep copies of it so that they can read without asking. A write is acknowledged when every copy but the writer's has
 * been thrown away, so nobody reads an old value after a write is done: strong consistency.
 *
 * Expected: no error. With -D LAZY the server acknowledges a write before it tells the other clients, and a client reads an old value.
 */
#define N 3

bit value; /* the last value whose write was acknowledged */
bit copy[N];
bool valid[N];
bool pending[N]; /* an invalidation is on its way to the client */
bool writing;    /* the server serves one write at a time */

active [N] proctype Client() {
	byte i;
	do
	:: atomic { /* read one's copy */
		valid[_pid] -> assert(copy[_pid] == value)
	}
	:: atomic { /* fetch a copy; the server is not in the middle of a write */
		!valid[_pid] && !writing -> copy[_pid] = value; valid[_pid] = true
	}
	:: atomic { /* an invalidation arrives */
		pending[_pid] -> pending[_pid] = false; valid[_pid] = false; copy[_pid] = 0
	}
	:: atomic { /* a write begins: the server tells the others */
		!writing && !pending[_pid] ->
		writing = true; i = 0;
		do
		:: i < N ->
			if
			:: i != _pid && valid[i] -> pending[i] = true
			:: else
			fi;
			i++
		:: else -> break
		od;
		i = 0
	};
#ifndef LAZY
		(!pending[0] && !pending[1] && !pending[2]);
#endif
		atomic { /* the write is acknowledged */
			value = 1 - value; copy[_pid] = value; valid[_pid] = true; writing = false
		}
	od
}
