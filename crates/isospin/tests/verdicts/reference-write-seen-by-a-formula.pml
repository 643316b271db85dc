// safety holds; p violated
// A formula sees for a moment what another process has set.
active proctype P() { public byte x; end: false }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1; P[r].x = 0 }
ltl p { [] (P[0]:x == 0) }
