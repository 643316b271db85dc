// A label before the selection, reached by a jump.
byte x;
active proctype P() { L: if :: x < 3 -> x++; goto L :: else -> skip fi; assert(x == 3) }
