// bit and bool keep the lowest bit.
bit b; bool c;
active proctype P() { b = 2; assert(b == 0); b = 3; assert(b == 1); c = 6; assert(!c); b++; assert(b == 0); b--; assert(b == 1) }
