/* expect both violated violated */
/* expect freed violated violated */
/* expect stuck violated violated SPIN violated holds */
/* expect some violated violated */
/* expect few holds holds */
/* expect held violated violated */
/* SPIN misses fair runs that come to rest. */
bit a, b; byte got;
active proctype P() { atomic { !a -> a = 1 }; atomic { !b -> b = 1 }; got++; a = 0; b = 0 }
active proctype Q() { atomic { !b -> b = 1 }; atomic { !a -> a = 1 }; got++; a = 0; b = 0 }
ltl both { <> (got == 2) }
ltl freed { [] (a -> <> !a) }
ltl stuck { <> [] (a && b) }
ltl some { <> (got > 0) }
ltl few { [] (got < 3) }
ltl held { [] ((a && b) -> [] (a && b)) }
