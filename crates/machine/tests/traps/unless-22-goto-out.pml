// A jump out of the main part.
byte x, y;
active proctype P() { { y = 1; goto L; y = 2 } unless { x == 1; y = 9 }; y = 3; L: y = y + 10 }
active proctype Q() { x = 1 }
