/* The queue lock of Mellor-Crummey and Scott (1991): a list of nodes, each process waits at its own. Expected: no error. */
#ifndef N
#define N 3
#endif
#define NIL 255

byte tail = NIL;
byte next[N] = NIL;
bit locked[N];
byte inside;

active [N] proctype Process() {
	byte before;
	do
	:: next[_pid] = NIL;
		atomic { before = tail; tail = _pid };
		if
		:: before != NIL -> locked[_pid] = 1; next[before] = _pid; locked[_pid] == 0
		:: before == NIL
		fi;
		before = 0;
		inside++; assert(inside == 1); inside--;
		if
		:: next[_pid] == NIL ->
			if
			:: atomic { tail == _pid -> tail = NIL }; goto free
			:: atomic { tail != _pid -> skip }; next[_pid] != NIL
			fi
		:: next[_pid] != NIL
		fi;
		locked[next[_pid]] = 0;
free:		skip
	od
}
