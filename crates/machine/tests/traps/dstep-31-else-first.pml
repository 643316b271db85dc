// A d_step that begins with else.
byte x;
active proctype P() { if :: x == 1 -> x = 5 :: d_step { else -> x = 2; x = 3 } fi }
active proctype Q() { x = 1 }
