// ?<...> leaves the message.
chan q = [2] of { byte };
active proctype P() { byte x; q!4; q!5; q?<x>; assert(x == 4 && len(q) == 2); q??<5>; assert(len(q) == 2); q??<x>; assert(x == 4) }
