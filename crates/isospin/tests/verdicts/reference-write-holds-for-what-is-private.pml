// safety holds
// What is not public nobody else can set.
active proctype P() { public byte x; byte y; y = 2; y = 3; assert(y == 3 && x < 2) }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1 }
