// Two claims. SPIN verifies one in a run; isospin all, with a verdict each.
// $ spin -run claims.pml
// prints never claim         	+ (first)
// lacks + (second)
// $ isospin verify claims.pml
// exit 1
// prints first holds
// prints second violated
// $ isospin spin -run -ltl second claims.pml
// exit 1
// prints never claim         	+ (second)
bit x;
active proctype P() { do :: x = 1 :: x = 0 od }
ltl first { [] (x < 2) }
ltl second { <> (x == 1) }
