/*
 * The alternating bit protocol of Bartlett, Scantlebury and Wilkinson: a sender numbers its messages, and a receiver expects the next one.
 *
 * The fault: the receiver does not look at the bit of a message that is repeated.
 * Expected: the assertion that each message is the next one is violated.
 */
#ifndef MAX
#define MAX 8
#endif

chan forth = [2] of { byte, bit };
chan back = [2] of { bit };

active proctype Sender() {
	byte number;
	bit own, seen;
	do
	:: forth!number, own;
		if
		:: back?seen ->
			if
			:: seen == own -> number = (number + 1) % MAX; own = 1 - own
			:: else -> skip
			fi
		:: timeout -> skip
		fi
	od
}

active proctype Receiver() {
	byte got, expected;
	bit flag;
	do
	:: forth?got, flag;
		assert(got == expected);
		expected = (expected + 1) % MAX;
		if
		:: back!flag
		:: back!(1 - flag) /* an answer that is distorted */
		fi
	:: forth?_, _ /* a message that is lost */
	od
}
