// A run that ends while the trace expects more has an invalid end state, if a process is left that may rest.
chan q = [1] of { byte };
active proctype P() { q!1 }
active proctype Q() { byte x; q?x; end: q?x }
trace { q!1; q!2 }
