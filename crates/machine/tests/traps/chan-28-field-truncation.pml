// Messages are cut to the types of the fields.
chan q = [1] of { byte, short };
int x, y;
active proctype P() { q!300,70000; q?x,y; assert(x == 44); assert(y == 4464) }
