// A jump to a label that stands before an atomic gives up control.
byte x;
active proctype P() { atomic { x = 1; goto L }; x = 9; L: atomic { x = 2; x = 3 } }
active proctype Q() { assert(x != 1) }
