// A bit field holds one bit.
// ours: states=5 transitions=5 atomic=0 depth=4 errors=0
// because: SPIN's verifier keeps eight bits of it, its simulator one
chan q = [1] of { bit };
byte x;
active proctype P() { q!2; q?x; assert(x == 0) }
