// The smallest int negated and divided by -1.
// ours: states=5 transitions=5 atomic=0 depth=4 errors=0
// because: SPIN's verifier crashes in the division
int x = -2147483647, m = -1;
active proctype P() { x = x - 1; x = x / m; assert(x < 0) }
