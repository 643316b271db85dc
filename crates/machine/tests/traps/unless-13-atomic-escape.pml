// An atomic as the escape.
byte x;
active proctype P() { { x = 1; x = 2 } unless { atomic { x == 1; x = 7; x = 8 } } }
active proctype Q() { assert(x != 7) }
