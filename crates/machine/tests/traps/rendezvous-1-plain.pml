// Sender and receiver move together.
chan q = [0] of { byte };
byte x, y;
active proctype P() { q!5; x = 1 }
active proctype Q() { q?y; assert(y == 5); assert(x == 0) }
