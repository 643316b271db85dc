// safety violated
// A new process sends its number: which one that is depends on who creates first.
chan c = [2] of { byte, bool };
proctype C(bool first) { c!_pid, first }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
active proctype M() { byte n; bool first; c?n, first; assert(n != 3 || first) }
