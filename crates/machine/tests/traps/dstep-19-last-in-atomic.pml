// A d_step as the last part of an atomic.
byte x;
active proctype P() { atomic { x = 1; d_step { x = 2; x = 3 } } ; x = 5 }
active proctype Q() { assert(x == 0 || x > 2) }
