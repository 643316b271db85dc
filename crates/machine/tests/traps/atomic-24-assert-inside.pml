// Assertions inside an atomic are checked.
byte x;
active proctype P() { atomic { x = 1; assert(x == 0); x = 2; assert(x == 0) } }
