// Inside a d_step the first option that is possible is taken.
byte x;
active proctype P() { d_step { x = 1; if :: x == 1 -> x = 2 :: x == 1 -> x = 3 :: true -> x = 4 fi } ; assert(x == 2) }
