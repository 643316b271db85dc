// A rendezvous channel is always empty and never full.
chan q = [0] of { byte };
byte x;
active proctype P() { q!1 }
active proctype Q() { assert(len(q) == 0); empty(q); nfull(q); x = 1; if :: full(q) -> x = 2 :: nempty(q) -> x = 3 :: timeout -> q?_ fi }
