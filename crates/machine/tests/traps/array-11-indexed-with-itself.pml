// An array indexed with an element of itself, two levels down.
// ours: states=7 transitions=7 atomic=0 depth=6 errors=0
// because: SPIN refuses such an index; nothing about it is unclear
byte a[4], b[4], i = 1;
active proctype P() { a[i] = 2; b[2] = 3; a[b[a[i]]] = 9; assert(a[3] == 9); assert(a[1] == 2) }
