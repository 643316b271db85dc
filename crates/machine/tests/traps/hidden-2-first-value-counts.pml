// Of two states that differ in a `hidden` variable only, the search goes on from the first: the assertion that the second violates is not reached.
hidden byte h; byte x;
active proctype P() { if :: h = 1 :: h = 0 fi; x = 1; assert(h == 1) }
