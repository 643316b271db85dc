// safety violated
// Two variables of another process are set in one step.
active proctype P() { public byte x; public byte y; if :: x == 1 -> assert(y == 0) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); d_step { P[r].x = 1; P[r].y = 1 } }
