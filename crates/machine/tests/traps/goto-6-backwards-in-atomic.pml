// A jump backwards inside an atomic keeps it.
byte x;
active proctype P() { atomic { skip; L: x++; if :: x < 3 -> goto L :: else fi; x = 9 } }
active proctype Q() { x = 0 }
