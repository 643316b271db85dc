// safety violated
// A chain of assignments whose last one is looked at.
byte a; byte b; byte c;
active proctype P() { a = 1; b = a; c = b }
active proctype Q() { assert(c == 0) }
