// Constants, variables and _ mixed.
chan q = [0] of { byte, byte, byte };
byte x;
active proctype P() { q!1,2,3; q!1,4,3 }
active proctype Q() { q?1,x,3; assert(x == 2); q?_,4,_ }
