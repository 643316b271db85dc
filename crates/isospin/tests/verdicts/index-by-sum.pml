// safety violated
// Each part of an index may change.
bit a[2];
active proctype P() { byte x; x = 1; a[0 + x] = 1; a[0 + x] = 0 }
active proctype Q() { assert(!a[1]) }
