// The bounds are computed again and again.
byte i, n = 3, c;
active proctype P() { for (i : n - 2 .. n) { if :: i == 1 -> n = 2 :: else fi; c++ }; assert(c == 2) }
