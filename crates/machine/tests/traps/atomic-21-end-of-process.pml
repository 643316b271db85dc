// An atomic at the very end: the closing brace is outside.
byte x;
active proctype P() { x = 1; atomic { x = 2; x = 3 } }
active proctype Q() { assert(x != 2); assert(_nr_pr > 0) }
