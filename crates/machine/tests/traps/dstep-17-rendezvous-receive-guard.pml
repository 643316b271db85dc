// Receiving in a rendezvous as the guard of a d_step.
chan q = [0] of { byte };
byte x, y;
active proctype P() { d_step { q?x; y = x } ; assert(y == 1) }
active proctype Q() { q!1 }
