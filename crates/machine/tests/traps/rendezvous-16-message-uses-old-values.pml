// The message is computed before the receiver moves.
chan q = [0] of { byte };
byte x = 1;
active proctype P() { q!x + 1; assert(x == 2) }
active proctype Q() { q?x }
