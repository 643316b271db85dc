// A for loop in a d_step.
byte i, s;
active proctype P() { d_step { for (i : 1 .. 3) { s = s + i }; skip } ; assert(s == 6) }
