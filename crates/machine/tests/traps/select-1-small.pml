// select from a small range is one step.
byte x;
active proctype P() { select (x : 1 .. 3); assert(x >= 1 && x <= 3) }
