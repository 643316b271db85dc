// safety holds; p violated
bit g;
active proctype P() { do :: g == 1 -> g = 0 :: g == 0 -> g = 1 od }
active [2] proctype Q() provided (g == 0) { g = 1 }
ltl p { [] <> (g == 0) -> <> [] (g == 0) }
