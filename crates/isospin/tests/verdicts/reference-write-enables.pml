// safety violated
// A variable that its own process never writes is set through a reference while the process looks at it.
active proctype P() { public byte x; if :: x == 1 -> assert(false) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1 }
