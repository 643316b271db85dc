// With -m a sorted send to a full channel loses the new message.
// flags: -m
chan q = [2] of { byte };
byte x;
active proctype P() { q!!3; q!!2; q!!1; q?x; assert(x == 2) }
