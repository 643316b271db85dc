// A provided clause and an escape.
byte x, y;
active proctype P() provided (x < 2) { { y = 1; y = 2 } unless { x == 1; y = 9 } }
active proctype Q() { x = 1; x = 2; x = 0 }
