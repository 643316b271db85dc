// _ takes anything and stores nothing.
chan q = [1] of { byte, byte };
byte x;
active proctype P() { q!1,2; q?_,x; assert(x == 2); q!3,4; q?_,_; assert(len(q) == 0) }
