// else inside a d_step.
byte x;
active proctype P() { d_step { x = 1; if :: x == 2 -> x = 3 :: else -> x = 4 fi } }
