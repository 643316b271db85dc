// safety violated
// The same, and the other one counts.
bit first, second;
active proctype P() { public byte x; skip }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1; first = 1 }
active proctype R() { ref P r; r = anyRef(P); P[r].x = 2; second = 1 }
active proctype M() { ref P r; r = anyRef(P); first && second; assert(P[r].x == 1) }
