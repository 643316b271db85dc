// else with a rendezvous receive: a receive alone is never possible, so else always is.
chan q = [0] of { byte };
byte x;
active proctype P() { if :: q?_ -> x = 1 :: else -> x = 2 fi }
active proctype Q() { q!1 }
