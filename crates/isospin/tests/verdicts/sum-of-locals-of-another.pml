// safety violated
// A local that only another process reads.
active proctype P() { byte v; v = 1; v = 0; end: false }
active proctype Q() { assert(P[0]:v == 0) }
