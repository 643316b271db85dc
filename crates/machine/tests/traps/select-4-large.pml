// select from a large range is a loop.
byte x;
active proctype P() { select (x : 0 .. 40); assert(x <= 40) }
