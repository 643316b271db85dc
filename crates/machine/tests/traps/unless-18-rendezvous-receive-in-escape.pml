// A rendezvous receive as the guard of the escape.
chan q = [0] of { byte };
byte y;
active proctype P() { { y = 1; y = 2; y = 3 } unless { q?1 -> y = 9 } }
active proctype Q() { q!1 }
