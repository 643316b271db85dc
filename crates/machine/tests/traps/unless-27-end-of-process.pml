// The closing brace cannot be interrupted.
byte x, y;
active proctype P() { { y = 1 } unless { x == 1; y = 9 } }
active proctype Q() { y == 1; x = 1 }
