// A selection as the main part: the escape stands before all its options.
byte x, y;
active proctype P() { if :: y == 0 -> y = 1 :: x == 0 -> y = 2 fi unless { x == 1; y = 9 } }
active proctype Q() { x = 1 }
