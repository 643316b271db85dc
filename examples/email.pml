/*
 * Electronic mail: clients send letters to each other through one mailer, which delivers them to mailboxes.
 *
 * Expected: no error. A letter arrives at the client it is addressed to. The clients are interchangeable, the mailer is not
 * one of them.
 */
#ifndef N
#define N 3
#endif

chan post = [1] of { byte, byte }; /* from, to */
chan box[N] = [1] of { byte, byte };

active [N] proctype Client() {
	byte other, from, to;
end:	do
	:: atomic {
		nfull(post) ->
		select (other : 0 .. N - 1);
		if
		:: other != _pid -> post!_pid, other
		:: else
		fi;
		other = 0
	}
	:: atomic {
		box[_pid]?from, to ->
		assert(to == _pid && from != _pid);
		from = 0;
		to = 0
	}
	od
}

active proctype Mailer() {
	byte from, to;
end:	do
	:: post?from, to -> box[to]!from, to; from = 0; to = 0
	od
}
