// The guard of an inner escape can be interrupted by the outer one.
byte x, y;
active proctype P() { { { y = 1; y = 2 } unless { x >= 1; y = 5; y = 6 } } unless { x == 2; y = 7 } }
active proctype Q() { x = 1; x = 2 }
