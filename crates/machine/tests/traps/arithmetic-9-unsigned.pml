// unsigned keeps its width.
unsigned u : 3;
unsigned v : 5 = 40;
active proctype P() { assert(v == 8); u = 9; assert(u == 1); u = -1; assert(u == 7); u++; assert(u == 0) }
