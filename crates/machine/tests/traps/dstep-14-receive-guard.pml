// A receive as the guard of a d_step.
chan q = [1] of { byte, byte };
byte x, y;
active proctype P() { d_step { q?1,x; y = x + 1 }; assert(y == 6) }
active proctype Q() { q!1,5 }
