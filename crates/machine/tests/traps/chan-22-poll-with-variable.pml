// A variable in a poll matches anything.
chan q = [1] of { byte };
byte x = 5;
active proctype P() { q!1; assert(q?[x]); assert(x == 5) }
