// else in the main part, and an escape.
byte x, y;
active proctype P() { { if :: y == 1 -> y = 2 :: else -> y = 3 fi; y = 4 } unless { x == 1; y = 9 } }
active proctype Q() { x = 1 }
