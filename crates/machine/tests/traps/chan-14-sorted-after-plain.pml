// A sorted send into a channel that is not sorted.
chan q = [4] of { byte };
active proctype P() { byte x; q!5; q!1; q!!3; q?x; assert(x == 3); q?x; assert(x == 5) }
