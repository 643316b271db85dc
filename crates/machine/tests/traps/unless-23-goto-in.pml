// A jump into the main part: the escape counts there.
byte x, y;
active proctype P() { y = 1; goto L; { y = 2; L: y = 3; y = 4 } unless { x == 1; y = 9 } }
active proctype Q() { x = 1 }
