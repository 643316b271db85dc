// Jumps to jumps take no step of their own.
byte x;
active proctype P() { A: goto C; B: x = 1; goto D; C: goto B; D: x == 0 -> goto A }
active proctype Q() { x = 0 }
