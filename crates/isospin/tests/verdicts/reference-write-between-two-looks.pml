// safety violated
// What a process has set itself is something else when it looks again.
active proctype P() { public byte x; x = 2; x = 3; assert(x == 3) }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1 }
