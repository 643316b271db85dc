// Comparisons are made between ints.
byte b = 255; short s = -1; bit t = 1;
active proctype P() { assert(b != s); assert(s < t); assert(b > s); assert((b + 1) == 256) }
