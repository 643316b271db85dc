// A selection at the start of a d_step, with receives on a rendezvous channel.
chan q = [0] of { byte };
byte x;
active proctype P() { d_step { if :: q?1 -> x = 1 :: q?2 -> x = 2 fi; x = x + 10 } ; assert(x == 12) }
active proctype Q() { q!2 }
