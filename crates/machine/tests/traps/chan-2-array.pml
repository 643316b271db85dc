// An array of channels has consecutive numbers.
chan q[3] = [1] of { byte };
byte x;
active proctype P() { assert(q[0] == 1 && q[2] == 3); q[1]!5; q[1]?x; assert(x == 5); assert(len(q[0]) == 0) }
