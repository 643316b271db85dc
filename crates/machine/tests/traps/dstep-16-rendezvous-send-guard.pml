// A rendezvous as the guard of a d_step.
chan q = [0] of { byte };
byte x;
active proctype P() { d_step { q!1; x = 1 } }
active proctype Q() { q?_ }
