// A sorted send goes before the first message that is greater.
chan q = [4] of { byte, byte };
active proctype P() { byte x, y; q!!2,1; q!!1,5; q!!2,0; q!!1,7; q?x,y; assert(x == 1 && y == 5); q?x,y; assert(y == 7); q?x,y; assert(x == 2 && y == 0) }
