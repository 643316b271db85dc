// A rendezvous that is possible prevents a timeout.
chan q = [0] of { byte };
byte x;
active proctype P() { timeout -> x = 1 }
active proctype Q() { q!1 }
active proctype R() { q?_; q?_ }
