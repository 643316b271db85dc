// A random receive takes the first message that matches.
chan q = [4] of { byte, byte };
active proctype P() { byte x; q!1,1; q!2,2; q!2,3; q??2,x; assert(x == 2); q??2,x; assert(x == 3); q?1,x; assert(x == 1 && len(q) == 0) }
