// A notrace that did not come to its end is what was wanted.
// ours: states=3 transitions=3 atomic=0 depth=2 errors=0
// because: SPIN asks of a notrace, too, that it comes to its end, and calls the end state invalid.
chan q = [1] of { byte };
active proctype P() { q!1 }
active proctype Q() { byte x; q?x; end: q?x }
notrace { q!1; q!2 }
