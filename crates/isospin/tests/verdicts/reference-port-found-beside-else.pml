// safety violated
// Whether somebody waits at a port that is found by a reference decides about `else`. The reference is declared further on than the port.
active proctype P() { public chan c = [0] of { byte }; skip; c?_; end: false }
active proctype Q() { byte i, j, k; ref P r; r = anyRef(P); if :: P[r].c!1 :: else -> assert(false) fi }
