// A jump out of an atomic gives up control.
byte x;
active proctype P() { atomic { x = 1; x = 2; goto L }; x = 9; L: x = 3; x = 4 }
active proctype Q() { assert(x != 2); x = 7 }
