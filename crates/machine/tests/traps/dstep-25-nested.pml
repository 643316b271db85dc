// A d_step inside a d_step adds nothing.
byte x;
active proctype P() { d_step { x = 1; d_step { x = 2; x = 3 }; x = 4 } }
