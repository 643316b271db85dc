// safety violated
// An array too large for an element each: what nobody reads of it says nothing about the rest.
byte a[2000];
active proctype P() { a[1] = 1; a[1] = 0; a[3] = 1 }
active proctype Q() { assert(!a[1]) }
