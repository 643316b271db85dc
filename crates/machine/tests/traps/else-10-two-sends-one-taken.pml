// else after two rendezvous sends, of which one finds a taker.
chan q = [0] of { byte }; chan r = [0] of { byte };
byte x;
active proctype P() { do :: q!1 -> x = 1 :: r!1 -> x = 2 :: else -> x = 3; break od }
active proctype Q() { q?_ ; r?_ }
