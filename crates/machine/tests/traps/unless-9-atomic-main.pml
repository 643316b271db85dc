// The escape is tried inside an atomic too.
byte x;
active proctype P() { atomic { x = 1; x = 2; x = 3 } unless { x == 2; x = 9 } }
active proctype Q() { assert(x != 2) }
