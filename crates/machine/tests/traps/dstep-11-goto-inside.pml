// A jump inside a d_step.
byte x;
active proctype P() { d_step { x = 1; L: x++; if :: x < 4 -> goto L :: else fi; skip }; assert(x == 4) }
