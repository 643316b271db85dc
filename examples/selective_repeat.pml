/*
 * Selective repeat: the sender may have W packets under way, the receiver keeps those that come out of order, and each packet is acknowledged by itself. The line
 * loses messages. Sequence numbers go round modulo M.
 *
 * Expected: no error with M = 2 * W numbers: what is delivered is what was sent, in order. With -D M=3 the receiver cannot
 * tell a packet sent again from a new one, and delivers the wrong one.
 */
#define W 2
#ifndef M
#define M 4
#endif
#define DATA 4          /* the data of the n-th packet is n modulo DATA */

chan line = [2] of { byte, byte };
chan back = [2] of { byte };

active proctype Sender() {
	byte base, next, ack; /* the oldest packet not acknowledged, the next to send */
	bool acknowledged[M];
	byte first; /* the data of the oldest packet */
	do
	:: next < W -> atomic { line!((base + next) % M), ((first + next) % DATA); next++ }
	:: next > 0 && !acknowledged[base % M] -> line!base, first /* send the oldest again */
	:: next > 1 && !acknowledged[(base + 1) % M] -> line!((base + 1) % M), ((first + 1) % DATA)
	:: atomic {
		back?ack ->
		if
		:: (ack + M - base) % M < next -> acknowledged[ack] = true
		:: else
		fi;
		ack = 0
	}
	:: atomic {
		next > 0 && acknowledged[base] ->
		acknowledged[base] = false; base = (base + 1) % M; first = (first + 1) % DATA; next--
	}
	od
}

active proctype Receiver() {
	byte expected, number, data, wanted;
	bool here[M];
	byte kept[M];
	do
	:: atomic {
		line?number, data ->
		if
		:: (number + M - expected) % M < W -> here[number] = true; kept[number] = data
		:: else
		fi;
		back!number;
		number = 0; data = 0
	}
	:: atomic {
		here[expected] ->
		assert(kept[expected] == wanted);
		here[expected] = false; kept[expected] = 0;
		expected = (expected + 1) % M; wanted = (wanted + 1) % DATA
	}
	od
}

active proctype Loss() {
	do
	:: line?_, _
	:: back?_
	od
}
