// The escape is tried before a d_step, not inside.
byte x;
active proctype P() { { d_step { x = 1; x = 2; x = 3 } ; x = 4 } unless { x == 2 || x == 3; x = 9 } }
