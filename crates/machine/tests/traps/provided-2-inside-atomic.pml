// A provided clause that becomes false inside an atomic: control is lost.
byte x;
active proctype P() provided (x != 1) { atomic { x = 1; x = 5; x = 6 } }
active proctype Q() { x == 1; x = 2; assert(x != 5) }
