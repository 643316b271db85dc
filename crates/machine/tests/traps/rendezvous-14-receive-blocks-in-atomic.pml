// A receive in the middle of an atomic waits like any statement.
chan q = [0] of { byte };
byte x;
active proctype P() { atomic { x = 1; q?_; x = 2; x = 3 } }
active proctype Q() { x = 4; q!1; x = 5 }
