// safety violated
chan q = [1] of { byte };
active proctype P() { byte x; x = 3; q!x; x = 0; x = 1 }
active proctype Q() { byte y; q?y; assert(y != 3) }
