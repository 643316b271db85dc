// A loop inside a d_step, left by break.
byte x;
active proctype P() { d_step { do :: x < 5 -> x++ :: else -> break od; x = x * 2 } ; assert(x == 10) }
