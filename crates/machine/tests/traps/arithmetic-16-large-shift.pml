// A shift by 32 or more: C leaves it open; here, as on the usual processors, the count is taken modulo 32.
int x = 1, n = 33;
active proctype P() { x = x << n; assert(x == 2) }
