// The receive is the last statement of its atomic.
chan q = [0] of { byte };
byte x;
active proctype P() { atomic { x = 1; q!1; x = 2; x = 3 } }
active proctype Q() { atomic { x = 4; q?_ }; x = 5 }
active proctype R() { assert(x != 1) }
