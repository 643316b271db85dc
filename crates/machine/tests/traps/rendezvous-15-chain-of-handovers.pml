// Control goes from atomic to atomic to atomic.
chan q = [0] of { byte }; chan r = [0] of { byte };
byte x;
active proctype P() { atomic { x = 1; q!1; x = 4 } }
active proctype Q() { atomic { q?_; x = 2; r!1; x = 5 } }
active proctype R() { atomic { r?_; x = 3; x = 6 } }
active proctype S() { assert(x == 0 || x >= 4) }
