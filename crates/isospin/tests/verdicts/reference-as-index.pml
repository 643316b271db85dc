// safety violated
// Another's variable chooses the element that is written.
bit a[2];
active proctype P() { public byte i; i = 1; i = 0; end: false }
active proctype Q() { ref P r; r = anyRef(P); a[P[r].i] = 1; assert(!a[1]) }
