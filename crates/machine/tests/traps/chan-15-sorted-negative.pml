// A sorted send of negative numbers.
chan q = [3] of { short };
active proctype P() { short x; q!!1; q!!-5; q!!0; q?x; assert(x == -5) }
