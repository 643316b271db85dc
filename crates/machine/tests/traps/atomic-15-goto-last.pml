// The last statement of an atomic is a jump within it.
byte x;
active proctype P() { atomic { x = 1; L: x++; if :: x < 3 -> goto L :: else fi } }
active proctype Q() { assert(x != 2) }
