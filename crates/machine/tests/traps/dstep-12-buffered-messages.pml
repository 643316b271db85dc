// Messages on buffered channels inside a d_step.
chan q = [2] of { byte };
byte x;
active proctype P() { d_step { q!1; q!2; q?x; q?x }; assert(x == 2 && len(q) == 0) }
