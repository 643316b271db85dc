// A jump into the middle of an atomic: the rest of it is atomic.
byte x;
active proctype P() { goto M; atomic { x = 1; M: x++; x = x * 2 }; assert(x == 2) }
active proctype Q() { x = 0; x = 0 }
