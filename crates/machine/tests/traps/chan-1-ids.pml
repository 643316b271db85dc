// Channel numbers: globals in order of declaration, then per process.
chan a = [1] of { byte }; chan b = [1] of { byte };
active proctype P() { chan c = [1] of { byte }; assert(a == 1 && b == 2 && c == 3) }
active proctype Q() { chan d = [1] of { byte }; assert(d == 4) }
