/* order: 6
   Three equal pipelines of two stages with a common sink. */
chan first[3] = [1] of { byte }; chan second[3] = [1] of { byte }; chan sink = [1] of { byte };
proctype source(byte k) { do :: first[k]!k od }
proctype stage(byte k) { byte v = 9; do :: first[k]?v; second[k]!v; v = 9 od }
proctype last(byte k) { byte v = 9; do :: second[k]?v; sink!v; v = 9 od }
proctype drain() { byte v = 9; do :: sink?v -> v = 9 od }
init { atomic { byte i; for (i : 0 .. 2) { run source(i); run stage(2 - i); run last(i) }; run drain() } }
