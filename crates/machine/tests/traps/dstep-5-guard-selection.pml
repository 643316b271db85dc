// A selection as the first statement: its guards are the guard.
byte x;
active proctype P() { d_step { if :: x == 1 -> x = 5 :: x == 2 -> x = 6 fi; x++ } }
active proctype Q() { x = 1; x = 2 }
