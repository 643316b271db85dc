// A rendezvous inside a d_step.
chan q = [0] of { byte };
byte x;
active proctype P() { d_step { x = 1; q!1 } }
active proctype Q() { q?_ }
