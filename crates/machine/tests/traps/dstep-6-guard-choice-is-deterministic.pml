// Even the guard of a d_step is not a choice.
byte x;
active proctype P() { d_step { if :: x = 1 :: x = 2 fi } }
