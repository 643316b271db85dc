// The receiver jumps out of its atomic right after the receive.
chan q = [0] of { byte };
byte x;
active proctype P() { q!1; x = 1 }
active proctype Q() { atomic { q?_; x = 2; goto L }; skip; L: x = 3 }
active proctype R() { assert(x != 2) }
