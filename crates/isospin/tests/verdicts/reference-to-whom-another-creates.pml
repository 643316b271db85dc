// safety violated
// A process is created while others are, and is found by reference.
proctype C(byte k) { public byte id; id = k; end: false }
active proctype A() { run C(1) }
active proctype B() { run C(2) }
active proctype M() { ref C r; r = anyRef(C); assert(C[r].id != 1) }
