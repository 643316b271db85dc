// The same channel under two names.
chan q = [2] of { byte };
proctype P(chan c) { c!1; q!2 }
init { byte x; run P(q); q?x; assert(x == 1); q?x; assert(x == 2) }
