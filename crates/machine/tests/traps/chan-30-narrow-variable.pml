// A message received into a narrow variable is cut.
chan q = [1] of { byte };
bit b;
active proctype P() { q!2; q?b; assert(b == 0) }
