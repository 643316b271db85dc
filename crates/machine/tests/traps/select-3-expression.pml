// select with an expression as bound, though constant.
byte x;
active proctype P() { select (x : 0 .. 1 + 1); assert(x <= 2) }
