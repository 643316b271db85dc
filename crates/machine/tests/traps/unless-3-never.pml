// The escape is never possible.
byte x;
active proctype P() { { x = 1; x = 2 } unless { x == 7; x = 9 } ; assert(x == 2) }
