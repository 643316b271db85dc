// safety holds; p unknown
// Weak fairness
// The same for processes that symmetry keeps at their end.
bit x, go;
active [65] proctype P() { end: go; skip }
active proctype Q() { x = 1; go = 0 }
ltl p { <> x }
