// safety violated
// A message is handed over into a variable of a third process.
chan q = [0] of { byte };
active proctype P() { public byte x; if :: x == 1 -> assert(false) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); q?P[r].x }
active proctype S() { q!1 }
