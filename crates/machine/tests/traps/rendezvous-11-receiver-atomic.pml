// Only the receiver is in an atomic: it has control after the rendezvous.
chan q = [0] of { byte };
byte x;
active proctype P() { x = 1; q!1; x = 2; x = 3 }
active proctype Q() { atomic { q?_; x = 5; x = 6 }; x = 7 }
active proctype R() { assert(x != 5) }
