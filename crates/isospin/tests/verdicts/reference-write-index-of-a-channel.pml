// safety violated
// The channel into which a process sends is chosen by another.
chan q[2] = [1] of { byte };
active proctype P() { public byte i; skip; q[i]!1 }
active proctype Q() { ref P r; r = anyRef(P); P[r].i = 1 }
active proctype R() { end: if :: q[1]?1 -> assert(false) fi }
