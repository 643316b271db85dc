// A selection inside a d_step with no way on.
byte x;
active proctype P() { d_step { x = 1; if :: x == 2 -> x = 3 :: x == 3 -> x = 4 fi } }
