// After a rendezvous without handover, the sender goes on in its atomic when it is its turn.
chan q = [0] of { byte };
byte x;
active proctype P() { atomic { q!1; x = 1; q!2; x = 2 } ; assert(x == 2) }
active proctype Q() { q?1; q?2 }
active proctype R() { assert(x != 1) }
