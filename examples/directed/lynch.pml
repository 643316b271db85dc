/*
 * Lynch's protocol: two stations send each other numbers over lines that may distort a message; an answer says whether the last message came
 * through.
 *
 * The fault: when both a message and the answer to it are distorted, it is sent again and counted twice.
 * Expected: the assertion that every number is the next one is violated.
 */
#ifndef MAX
#define MAX 6
#endif

mtype = { ack, nak, err };
chan line[2] = [1] of { mtype, byte };

active [2] proctype Station() {
	byte me = _pid, sent, got, last;
	mtype kind;
	if
	:: me == 0 -> line[1]!ack, sent
	:: else -> skip
	fi;
end:	do
	:: line[me]?kind, got ->
		if
		:: kind == ack -> assert(got == last || got == last + 1); last = got; sent = (sent + 1) % MAX
		:: kind == nak -> last = (last + got) % MAX
		:: kind == err -> skip
		fi;
		if
		:: line[1 - me]!ack, sent
		:: line[1 - me]!nak, sent
		:: line[1 - me]!err, 0
		fi
	od
}
