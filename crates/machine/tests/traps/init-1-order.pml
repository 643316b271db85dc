// Globals are initialised by type first, then in order; a global may use an earlier one.
byte a = 3; byte b = a + 1; short c = b * 2;
active proctype P() { assert(a == 3 && b == 4 && c == 8) }
