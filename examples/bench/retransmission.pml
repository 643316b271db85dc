/* The bounded retransmission protocol: a file of N parts over lines that lose messages, each part sent at most R times; both ends learn how it ended.
   Expected: no error. */
#ifndef N
#define N 10
#endif
#ifndef R
#define R 3
#endif
mtype = { part, okay, failed, unsure, lost };

chan data = [1] of { byte, bit };
chan acknowledgement = [1] of { bit };
chan down = [0] of { bit };
mtype sent, received;
byte arrived;

active proctype Sender() {
	byte n, tries;
	bit b;
	do
	:: n = 0; sent = 0;
		do
		:: n < N ->
			tries = 0;
retry:			data!n, b; tries++;
			if
			:: acknowledgement?eval(b) -> n++; b = 1 - b
			:: acknowledgement?eval(1 - b) -> goto wait
			:: empty(data) && empty(acknowledgement) ->
wait:				if
				:: tries < R -> goto retry
				:: tries == R -> sent = (n == N - 1 -> unsure : failed); goto over
				fi
			fi
		:: n == N -> sent = okay; goto over
		od;
over:		tries = 0; n = 0;
		empty(data);
		down!0;
		do
		:: acknowledgement?_
		:: empty(acknowledgement) -> break
		od;
		b = 0
	od
}

active proctype Receiver() {
	byte n, expected;
	bit b, next;
	do
	:: data?n, b ->
		if
		:: b == next && n == expected ->
			expected++; next = 1 - next; arrived = expected;
			received = (expected == N -> okay : part)
		:: else
		fi;
		if
		:: acknowledgement!b
		:: full(acknowledgement)
		fi;
		n = 0; b = 0
	:: down?_ ->
		assert(sent != okay || received == okay);
		expected = 0; next = 0; arrived = 0; received = 0
	od
}

active proctype Line() {
	byte n; bit b;
	do
	:: atomic { nempty(data) -> data?n, b; n = 0; b = 0 }
	:: atomic { nempty(acknowledgement) -> acknowledgement?b; b = 0 }
	od
}
