// With -m a rendezvous still needs its partner.
// flags: -m
chan q = [0] of { byte };
byte x;
active proctype P() { q!1; x = 1 }
active proctype Q() { x = 2 }
