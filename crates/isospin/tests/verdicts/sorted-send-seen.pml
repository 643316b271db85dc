// safety violated
chan q = [2] of { byte };
active proctype A() { q!!2 }
active proctype B() { q!!1 }
active proctype C() { byte x; q?x; assert(x == 1) }
