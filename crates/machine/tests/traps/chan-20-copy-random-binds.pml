// ??<...> with a constant and a variable.
chan q = [3] of { byte, byte };
active proctype P() { byte x; q!1,7; q!2,8; q??<2,x>; assert(x == 8 && len(q) == 2) }
