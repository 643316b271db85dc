/*
 * A sliding window protocol (go back n): the sender may be W frames ahead of the last acknowledgement, and numbers frames
 * modulo M. The line loses frames and acknowledgements, but keeps their order.
 *
 * Expected: no error with M > W. With -D M=2 the receiver takes an old frame for a new one: an assertion is violated.
 */
#define W 2
#ifndef M
#define M 3
#endif
#define DATA 6		/* Data are counted modulo this; a multiple of M. */

chan frames = [W] of { byte, byte };
chan acknowledgements = [W] of { byte };

active proctype Sender() {
	byte base, next; /* the first frame without acknowledgement, and the next to send: both modulo DATA */
	byte number;
	do
	:: (next + DATA - base) % DATA < W ->
		frames!(next % M), next;
		next = (next + 1) % DATA
	:: next = base /* A timer has run out. */
	:: acknowledgements?number ->
		if
		:: number == (base + 1) % M && base != next -> base = (base + 1) % DATA
		:: W > 1 && number == (base + 2) % M && (next + DATA - base) % DATA > 1 -> base = (base + 2) % DATA
		:: else
		fi
	od
}

active proctype Receiver() {
	byte wanted, number, data;
	do
	:: frames?number, data ->
		if
		:: number == wanted % M ->
			assert(data == wanted);
			wanted = (wanted + 1) % DATA
		:: else
		fi;
		if
		:: acknowledgements!(wanted % M)
		:: skip /* The acknowledgement is lost. */
		fi
	:: frames?_, _ /* The frame is lost. */
	od
}
