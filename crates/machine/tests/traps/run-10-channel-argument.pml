// A channel as an argument.
chan q = [1] of { byte };
proctype P(chan c; byte v) { c!v }
init { byte x; run P(q, 5); q?x; assert(x == 5) }
