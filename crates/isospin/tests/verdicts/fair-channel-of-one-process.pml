// safety holds; p holds
// Weak fairness
// Nobody else uses the channel whose name is in a variable.
chan d = [1] of { byte }; bool done;
active proctype S() { chan v = d; v = d; do :: v!1; v?_ od }
active proctype T() { byte x; do :: x < 3 -> x++ :: else -> break od; done = true }
ltl p { <> done }
