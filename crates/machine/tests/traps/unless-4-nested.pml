// An outer escape wins over an inner one.
byte x, y;
active proctype P() { { { y = 1; y = 2 } unless { x == 1; y = 5 } } unless { x == 1; y = 7 } }
active proctype Q() { x = 1 }
