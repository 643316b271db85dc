// select of one number.
byte x;
active proctype P() { select (x : 5 .. 5); assert(x == 5) }
