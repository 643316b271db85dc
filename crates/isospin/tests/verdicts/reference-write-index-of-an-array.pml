// safety violated
// The element that a process uses is chosen by another.
byte a[2];
active proctype P() { public byte i; a[i] = 1 }
active proctype Q() { ref P r; r = anyRef(P); P[r].i = 1 }
active proctype R() { if :: a[1] -> assert(false) :: else fi }
