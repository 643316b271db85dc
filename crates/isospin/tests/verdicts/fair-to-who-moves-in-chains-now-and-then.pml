// safety holds; p holds
// Weak fairness
// The second process comes to its visible move by moves that are passed over.
bit x; bool done;
active proctype P() { do :: x = 1 - x od }
active proctype R() { byte l; do :: l < 5 -> l++ :: else -> break od; done = true; do :: l = 1 - l od }
ltl p { <> done }
