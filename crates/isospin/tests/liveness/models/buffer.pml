/* expect flows violated violated */
/* expect fills violated violated */
/* expect two holds holds */
/* expect sees violated violated */
/* expect empties violated violated */
/* expect always holds holds */
chan q = [2] of { byte }; byte last;
active proctype S() { byte i; do :: q!i -> i = (i + 1) % 3 od }
active proctype R() { byte v; do :: q?v -> last = v :: full(q) -> q?_ od }
ltl flows { [] <> (len(q) == 0) }
ltl fills { <> (len(q) == 2) }
ltl two { [] ((len(q) == 2) -> <> (len(q) < 2)) }
ltl sees { [] (q?[1] -> <> (last == 1)) }
ltl empties { [] ((len(q) > 0) -> <> (len(q) == 0)) }
ltl always { [] (len(q) <= 2) }
