// safety violated
// Whether a process may move depends on a channel that is found by a reference.
active proctype P() { public chan c = [1] of { byte }; c!1; c?_; end: false }
proctype Q(byte i; byte j; ref P r) provided (nempty(P[r].c)) { assert(false) }
active proctype S() { ref P r; r = anyRef(P); run Q(0, 0, r) }
