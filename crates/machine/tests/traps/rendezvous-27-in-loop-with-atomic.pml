// A server loop with atomics on both sides.
chan q = [0] of { byte }; chan r = [0] of { byte };
byte n;
active proctype Server() { byte m; end: do :: atomic { q?m -> n = n + m; r!n } od }
active proctype Client() { byte m; atomic { q!1; r?m }; assert(m == 1); q!2; r?m; assert(m == 3) }
