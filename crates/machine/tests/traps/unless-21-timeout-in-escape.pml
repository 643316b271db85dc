// timeout as the guard of the escape.
byte x, y;
active proctype P() { { x == 1; y = 2 } unless { timeout -> y = 9 } }
