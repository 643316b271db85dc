// A d_step as a guard of a selection: it can wait like any guard.
byte x;
active proctype P() { if :: d_step { x == 1; x = 5 } :: d_step { x == 2; x = 6 } :: x == 3 -> x = 7 fi }
active proctype Q() { x = 1; x = 2; x = 3 }
