// A label before a block with an escape.
byte x, y;
active proctype P() { L: { y++; y < 3 } unless { x == 1; y = 9 }; if :: y < 3 -> goto L :: else fi }
active proctype Q() { x = 1 }
