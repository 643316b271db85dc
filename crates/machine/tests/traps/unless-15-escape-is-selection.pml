// A selection as the guard of the escape.
byte x, y;
active proctype P() { { y = 1; y = 2; y = 3 } unless { if :: x == 1 -> y = 7 :: x == 2 -> y = 8 fi } }
active proctype Q() { x = 1; x = 2 }
