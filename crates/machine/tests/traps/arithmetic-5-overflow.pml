// int wraps around.
int x = 2147483647;
active proctype P() { x = x + 1; assert(x < 0); x = x - 1; assert(x == 2147483647) }
