// The first statement may have to wait.
byte x;
active proctype P() { d_step { x == 1; x = 2; x = 3 } }
active proctype Q() { x = 1; assert(x != 2) }
