/*
 * Caches on a bus that watch each other's requests: a line is invalid, shared or exclusive, and a request for an exclusive copy waits until all
 * others have given theirs up.
 *
 * The fault: a cache that waits for its own request does not answer those of others.
 * Expected: an invalid end state.
 */
#ifndef N
#define N 3
#endif

mtype = { invalid, shared, exclusive };
mtype = { read, own };
chan bus = [1] of { mtype, byte };
chan watched[N] = [1] of { mtype, byte };
chan done[N] = [1] of { bit };
mtype line[N] = invalid;

active [N] proctype Cache() {
	byte me = _pid, who;
	do
	:: line[me] == invalid -> bus!read, me; done[me]?1; line[me] = shared
	:: line[me] != exclusive ->
		bus!own, me;
danger_owns:
		done[me]?1; line[me] = exclusive
	:: line[me] != invalid -> line[me] = invalid
	:: watched[me]?read, who -> line[me] = (line[me] == exclusive -> shared : line[me]); done[who]!1
	:: watched[me]?own, who -> line[me] = invalid; done[who]!1
	od
}

active proctype Bus() {
	byte who, i;
	mtype what;
	do
	:: bus?what, who ->
		i = (who + 1) % N;
		watched[i]!what, who
	od
}
