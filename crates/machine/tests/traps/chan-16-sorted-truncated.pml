// A sorted send is sorted by what is stored.
// ours: states=6 transitions=6 atomic=0 depth=5 errors=0
// because: SPIN compares the value as it was before it was cut to a byte, and leaves the channel out of order
chan q = [2] of { byte };
active proctype P() { byte x; q!!1; q!!-1; q?x; assert(x == 1) }
