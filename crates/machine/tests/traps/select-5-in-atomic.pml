// select inside an atomic.
byte x, y;
active proctype P() { atomic { select (x : 1 .. 2); select (y : 1 .. 2) } ; assert(x + y <= 4) }
