// An event that the trace does not expect is an error; the step is taken, and the automaton stays.
mtype = { a, b };
chan q = [2] of { mtype };
active proctype P() { q!a; q!b; q!b; q!a }
active proctype Q() { q?a; q?b; q?b; q?a }
trace { do :: q!a; q!b od }
