// An unless inside an atomic.
byte x;
active proctype P() { atomic { x = 1; { x = 2; x = 3 } unless { x == 2; x = 9 }; x = x + 1 } }
active proctype Q() { assert(x == 0 || x == 10) }
