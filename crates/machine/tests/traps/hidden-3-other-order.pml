// The same in the other order: the first one violates the assertion.
hidden byte h; byte x;
active proctype P() { if :: h = 0 :: h = 1 fi; x = 1; assert(h == 1) }
