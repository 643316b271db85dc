// An escape that jumps back into the main part.
byte x, y;
active proctype P() { L: { y = 1; y = 2; y = 3 } unless { x == 1 -> x = 2; goto L } }
active proctype Q() { x = 1 }
