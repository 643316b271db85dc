/* expect x2 violated holds */
/* expect ys violated violated */
/* expect zs violated holds */
/* expect all violated holds */
/* expect z1 violated holds */
/* expect until violated holds */
/* expect imp violated holds */
byte x, y, z;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od }
active proctype Q() { do :: x == 1 -> y = 1 - y od }
active proctype R() { z = 1; do :: z == 1 -> z = 2 :: z == 2 -> z = 1 od }
ltl x2 { [] <> (x == 2) }
ltl ys { [] <> (y == 1) }
ltl zs { [] <> (z == 2) }
ltl all { [] <> (x == 2) && [] <> (z == 2) }
ltl z1 { <> (z == 1) }
ltl until { (z == 0) U (z == 1) }
ltl imp { [] <> (y == 1) -> [] <> (x == 1) }
