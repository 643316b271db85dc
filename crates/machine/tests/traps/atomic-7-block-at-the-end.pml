// A block as the last part of an atomic: its last statement ends the atomic.
byte x;
active proctype P() { atomic { x = 1; { x = 2; x = 3 } }; x = 4 }
active proctype Q() { assert(x != 2) }
