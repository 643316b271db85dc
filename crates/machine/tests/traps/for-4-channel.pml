// for (m in q) visits every message and leaves the channel as it was.
typedef M { byte v };
chan q = [3] of { M };
M m; byte s;
active proctype P() { m.v = 1; q!m; m.v = 2; q!m; for (m in q) { s = s + m.v }; assert(s == 3 && len(q) == 2) }
