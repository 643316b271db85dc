/* A sliding window protocol with buffers on both sides and cumulative acknowledgements over a line that loses messages. Expected: no error. */
#ifndef W
#define W 2
#endif
#ifndef M
#define M 4
#endif
#ifndef L
#define L 2
#endif

chan data = [L] of { byte, byte };
chan back = [L] of { byte };

active proctype Sender() {
	byte base, next, k, payload;
	byte buffer[M];
	do
	:: (next + M - base) % M < W ->
		buffer[next] = payload; payload = 1 - payload;
		data!next, buffer[next];
		next = (next + 1) % M
	:: back?k ->
		if
		:: (k + M - base) % M < W && (k + M - base) % M < (next + M - base) % M ->
			do
			:: base != (k + 1) % M -> buffer[base] = 0; base = (base + 1) % M
			:: base == (k + 1) % M -> break
			od
		:: else
		fi;
		k = 0
	:: base != next && empty(data) && empty(back) -> k = base;
		do
		:: k != next -> data!k, buffer[k]; k = (k + 1) % M
		:: k == next -> break
		od;
		k = 0
	od
}

active proctype Receiver() {
	byte expected, k, value, wanted;
	do
	:: data?k, value ->
		if
		:: k == expected ->
			assert(value == wanted); wanted = 1 - wanted;
			expected = (expected + 1) % M
		:: k != expected
		fi;
		if
		:: back!((expected + M - 1) % M)
		:: full(back)
		fi;
		k = 0; value = 0
	od
}

active proctype Line() {
	do
	:: atomic { nempty(data) -> data?_, _ }
	:: atomic { nempty(back) -> back?_ }
	od
}
