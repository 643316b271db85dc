// safety violated
// Three processes that are alike may all choose the same one.
active [3] proctype P() { public byte n; ref P r; r = anyRef(P); P[r].n++; assert(n < 3) }
