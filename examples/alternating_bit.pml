/*
 * The alternating bit protocol: messages cross a line that may lose them, and arrive in order, none lost and none twice.
 *
 * Every message carries one bit. The sender repeats a message until its bit is acknowledged; the receiver takes a message
 * with the bit it expects and acknowledges whatever comes. The data count modulo 4. Expected: no error. Without fairness
 * nothing is promised about progress: the line may lose everything.
 */
#define NEXT(data) (((data) + 1) % 4)

chan forth = [1] of { byte, bit };
chan back = [1] of { bit };

active proctype Sender() {
	byte data;
	bit current, got;
	do
	:: forth!data, current
	:: back?got ->
		if
		:: got == current -> data = NEXT(data); current = 1 - current
		:: else
		fi
	od
}

active proctype Receiver() {
	byte data, wanted;
	bit expected, got;
	do
	:: forth?data, got ->
		if
		:: got == expected ->
			assert(data == wanted);
			wanted = NEXT(wanted);
			expected = 1 - expected
		:: else
		fi;
		back!got
	od
}

/* Takes messages away. */
active proctype Line() {
	do
	:: forth?_, _
	:: back?_
	od
}
