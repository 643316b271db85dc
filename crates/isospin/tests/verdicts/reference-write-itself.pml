// safety violated
// A reference that leads to the process itself sets what the process knows by another name.
active [2] proctype P() { public byte x; ref P r; r = anyRef(P); x = 2; P[r].x = 1; x = x + 1; assert(x == 3) }
