// A loop as the last statement of a d_step.
byte x;
active proctype P() { d_step { x = 1; do :: x < 5 -> x++ :: else -> break od; skip } ; assert(x == 5) }
