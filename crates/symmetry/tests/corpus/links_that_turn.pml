/* order: 3
   Each has two of three channels and may exchange them. */
chan a = [1] of { bit };
chan b = [1] of { bit };
chan c = [1] of { bit };
proctype P(chan left; chan right) { chan x; do :: atomic { x = left; left = right; right = x } :: left!1 :: right?1 od }
init { atomic { run P(a, b); run P(b, c); run P(c, a) } }
