// pid holds a byte.
pid p;
active proctype P() { p = 300; assert(p == 44) }
