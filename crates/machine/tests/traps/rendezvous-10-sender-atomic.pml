// Only the sender is in an atomic: control is lost at the rendezvous.
chan q = [0] of { byte };
byte x;
active proctype P() { atomic { x = 1; q!1; x = 2; x = 3 } }
active proctype Q() { q?_; x = 5; x = 6 }
active proctype R() { assert(x != 2) }
