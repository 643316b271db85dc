// Elements of a bit array hold one bit.
// ours: states=4 transitions=4 atomic=0 depth=3 errors=0
// because: SPIN's verifier keeps eight bits of them, its simulator one
bit a[2];
active proctype P() { a[1] = 2; assert(a[1] == 0) }
