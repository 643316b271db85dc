// short wraps around.
short x = 32767;
active proctype P() { x++; assert(x == -32768); x--; assert(x == 32767) }
