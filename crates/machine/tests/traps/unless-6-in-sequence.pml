// Two statements with escapes, one after the other.
byte x, y;
active proctype P() { { y = 1 } unless { x == 1 -> y = 2 }; { y = 3 } unless { x == 1 -> y = 4 } }
active proctype Q() { x = 1; x = 0 }
