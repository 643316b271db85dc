// safety holds; p unknown
// Weak fairness
// There are more processes than fairness keeps account of.
bit x;
active [65] proctype P() { end: false }
active proctype Q() { x = 1; end: false }
ltl p { <> x }
