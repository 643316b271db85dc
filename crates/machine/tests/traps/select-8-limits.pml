// The largest range that is still one step, and the smallest that is not.
byte x, y;
active proctype P() { select (x : 0 .. 32); select (y : 0 .. 33) }
