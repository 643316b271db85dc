// Between two atomics others may move.
byte x;
active proctype P() { atomic { x = 1; x = 2 }; atomic { x = 3; x = 4 } }
active proctype Q() { assert(x != 2) }
