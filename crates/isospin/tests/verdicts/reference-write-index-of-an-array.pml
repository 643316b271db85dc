// safety violated
// The element that a process uses is chosen by another.
byte a[2];
active proctype P() { public byte i; a[i] = 1; a[i] = 0; assert(a[0] + a[1] == 0) }
active proctype Q() { ref P r; r = anyRef(P); P[r].i = 1 }
