// safety violated
// An escape is opened by another process.
active proctype P() { public bit x; byte n; { n = 1; n = 2; n = 3 } unless { x -> assert(n != 2) } }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1 }
