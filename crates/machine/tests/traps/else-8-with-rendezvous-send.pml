// else with a rendezvous send: possible when nobody receives.
chan q = [0] of { byte };
byte x;
active proctype P() { if :: q!1 -> x = 1 :: else -> x = 2 fi }
active proctype Q() { q?_; x = 3 }
