// safety holds
// The value is of no use, but to compute it takes a reference that leads somewhere.
active proctype P() { public bit x; end: false }
active proctype Q() { ref P r; bit unused; r = anyRef(P); unused = P[r].x }
