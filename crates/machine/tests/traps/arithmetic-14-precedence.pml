// C's precedence.
int x;
active proctype P() { x = 2 + 3 * 4 - 10 / 5; assert(x == 12); x = 1 << 2 + 1; assert(x == 8); assert((6 & 3 == 3) == 0); assert((1 | 2 ^ 3) == 1) }
