// safety holds
// All processes of a proctype that is only `active` are there for ever, at their end if need be.
active proctype P() { public byte x; x = 1 }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 2; assert(P[r].x == 2 || P[r].x == 1) }
active proctype R() { ref P r; r = anyRef(P); assert(P[r].x < 3) }
