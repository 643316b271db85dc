// safety violated
// The same in one step.
active [2] proctype P() { public byte x; ref P r; r = anyRef(P); atomic { x = 0; P[r].x = 1; x = 2 * x; assert(x == 0) } }
