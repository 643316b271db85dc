/* expect p1 violated holds */
/* expect p2 violated holds */
/* expect p3 violated holds */
/* expect p4 violated violated */
/* expect p5 holds holds */
/* expect p6 violated holds */
/* expect p7 violated holds */
/* expect p8 holds holds */
/* expect p9 holds holds */
bit x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { do :: y == 0 -> y = 1 :: y == 1 -> y = 0 od }
ltl p1 { [] <> (x == 1) }
ltl p2 { <> (y == 1) }
ltl p3 { [] (x == 1 -> <> (x == 0)) }
ltl p4 { <> [] (x == 0) }
ltl p5 { [] (x <= 1) }
ltl p6 { ([] <> (x == 1)) -> ([] <> (y == 1)) }
ltl p7 { (x == 0) U (x == 1) }
ltl p8 { (x == 0) W (x == 1) }
ltl p9 { ([] <> (x == 1)) || ([] <> (y == 1)) }
