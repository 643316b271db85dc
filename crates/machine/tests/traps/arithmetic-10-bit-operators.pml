// Bit operators on negative numbers.
int x = -2;
active proctype P() { assert((x & 7) == 6); assert((x | 1) == -1); assert((x ^ 3) == -3); assert(~x == 1); assert(!x == 0); assert(-x == 2) }
