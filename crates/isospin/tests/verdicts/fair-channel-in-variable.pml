// safety holds; p holds
// Weak fairness
// Moves that use a channel whose name is in a variable are not put off for ever.
chan c = [1] of { byte }; chan d = [1] of { byte }; bool done;
proctype S(chan v) { v = d; do :: v!1 od }
proctype R() { do :: d?_ od }
active proctype T() { run S(c); run R(); done = true }
ltl p { <> done }
