// A jump into the middle of an atomic: the rest is atomic.
byte x;
active proctype P() { x = 1; goto L; atomic { x = 9; L: x = 2; x = 3; x = 4 }; x = 5 }
active proctype Q() { assert(x != 3) }
