/* A leader election on a ring, with channels passed as parameters. */
#define N 4
#define NEXT(i) ((i + 1) % N)

chan link[N] = [2] of { byte };
byte leader = 255, elected;

proctype Node(chan in, out; byte id) {
	byte other;
	out!id;
end:	do
	:: in?other ->
		if
		:: other > id -> out!other
		:: other < id -> skip
		:: else -> leader = id; elected++; break
		fi
	od
}

init {
	byte i;
	atomic {
		do
		:: i < N -> run Node(link[i], link[NEXT(i)], i); i++
		:: else -> break
		od
	}
}

ltl { <> (elected == 1) }
