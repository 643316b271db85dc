// safety violated
// One element of another's array, through a reference.
active proctype P() { public byte x[2]; x[1] = 1; x[1] = 0; end: false }
active proctype Q() { ref P r; r = anyRef(P); assert(!P[r].x[1]) }
