// A jump from inside one atomic to a label inside another keeps control.
byte x;
active proctype P() { atomic { x = 1; goto L }; atomic { x = 9; L: x = 2; x = 3 } }
active proctype Q() { assert(x != 1 && x != 2) }
