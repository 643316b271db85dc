// safety holds; p violated
// A process at its end disappears when its clause holds again, which is on the cycle only.
bit g;
active [2] proctype Q() provided (g == 0) { g = 1 }
active proctype P() { do :: g == 1 -> g = 0 :: g == 0 -> g = 1 od }
ltl p { <> [] (g == 0) }
