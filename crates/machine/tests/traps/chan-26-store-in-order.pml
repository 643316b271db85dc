// The same variable twice in one receive: refused.
chan q = [1] of { byte, byte };
byte x;
active proctype P() { q!1,2; q?x,x; assert(x == 2) }
