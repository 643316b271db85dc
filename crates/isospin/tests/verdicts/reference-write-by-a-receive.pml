// safety violated
// A message is received into a variable of another process.
chan q = [1] of { byte };
active proctype P() { public byte x; if :: x == 1 -> assert(false) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); q!1; q?P[r].x }
