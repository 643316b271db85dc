/* A lift for F floors with a button at each and P persons who press them; the controller keeps its direction while there is a call ahead. Expected: no error. */
#ifndef F
#define F 3
#endif
#ifndef P
#define P 2
#endif

byte at;
bit called[F];
bit door;
bit inside[P];

active proctype Lift() {
	bit up = 1;
	byte k;
	do
	:: called[at] -> door = 1; called[at] = 0; door = 0
	:: !called[at] ->
		k = at;
		do
		:: up && k < F - 1 -> k++; if :: called[k] -> break :: !called[k] fi
		:: !up && k > 0 -> k--; if :: called[k] -> break :: !called[k] fi
		:: up && k == F - 1 -> k = F; break
		:: !up && k == 0 -> k = F; break
		od;
		if
		:: k == F -> up = 1 - up
		:: k != F && up -> assert(!door); at++
		:: k != F && !up -> assert(!door); at--
		fi;
		k = 0
	od
}

proctype Person(byte me) {
	byte from, to;
	do
	:: select (from : 0 .. F - 1);
		called[from] = 1;
		door && at == from; inside[me] = 1;
		select (to : 0 .. F - 1);
		called[to] = 1;
		door && at == to; inside[me] = 0;
		from = 0; to = 0
	od
}

init {
	byte i;
	atomic {
		do
		:: i < P -> run Person(i); i++
		:: i == P -> break
		od
	}
}
