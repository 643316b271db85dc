// Jumps that lead to jumps, out of an atomic.
byte x;
active proctype P() { atomic { x = 1; goto A }; A: goto B; x = 9; B: goto C; C: x = 2 }
active proctype Q() { assert(x != 1) }
