// A rendezvous in the main part, and an escape that is possible: the process is no partner any more.
chan q = [0] of { byte };
byte x, y;
active proctype P() { { q?y; y = 2 } unless { x == 1; y = 9 } }
active proctype Q() { q!1 }
active proctype R() { x = 1 }
