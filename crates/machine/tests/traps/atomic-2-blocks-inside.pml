// A blocked statement inside an atomic loses control; it is atomic again when it goes on.
byte x;
active proctype P() { atomic { x = 1; x == 2; x = 3; x = 4 } }
active proctype Q() { x == 1; x = 2; assert(x != 3) }
