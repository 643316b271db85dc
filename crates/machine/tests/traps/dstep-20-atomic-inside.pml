// An atomic inside a d_step adds nothing.
byte x;
active proctype P() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 } }
active proctype Q() { assert(x == 0 || x == 4) }
