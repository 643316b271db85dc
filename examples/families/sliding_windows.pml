/*
 * N independent links, each with a sender and a receiver that number messages modulo M and send up to W of them ahead; lines lose
 * messages, which are then sent again.
 *
 * Links are interchangeable, each as a whole: the group is S(N).
 * Expected: no error as long as W < M.
 */
#ifndef N
#define N 3
#endif
#ifndef M
#define M 3
#endif
#ifndef W
#define W 1
#endif

chan data[N] = [W] of { byte };
chan acks[N] = [W] of { byte };

proctype Sender(byte link) {
	byte oldest, sent, number;
	do
	:: sent < W -> data[link]!((oldest + sent) % M); sent++
	:: data[link]?_
	:: acks[link]?number ->
		if
		:: sent > 0 && number == oldest -> oldest = (oldest + 1) % M; sent--
		:: else
		fi;
		number = 0
	:: sent > 0 && empty(data[link]) && empty(acks[link]) -> sent = 0
	od
}

proctype Receiver(byte link) {
	byte expected, number;
	do
	:: data[link]?number ->
		if
		:: number == expected -> acks[link]!number; expected = (expected + 1) % M
		:: else -> acks[link]!number
		fi;
		number = 0
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 1) {
			run Sender(i);
			run Receiver(i)
		}
	}
}
