// A d_step as the escape.
byte x;
active proctype P() { { x = 1; x = 2 } unless { d_step { x == 1; x = 7; x = 8 } } }
