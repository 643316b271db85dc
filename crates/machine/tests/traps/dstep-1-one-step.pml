// A d_step is one step.
byte x, y;
active proctype P() { d_step { x = 1; y = 2; x = 3 } }
active proctype Q() { assert(x == 0 || y == 2) }
