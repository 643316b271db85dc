// select with computed bounds is a loop.
byte x, n = 3;
active proctype P() { select (x : 1 .. n); assert(x >= 1 && x <= 3) }
