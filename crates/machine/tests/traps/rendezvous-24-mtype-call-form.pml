// q!m(x) is q!m,x.
mtype = { ping, pong };
chan q = [0] of { mtype, byte };
byte x;
active proctype P() { q!ping(3); q!pong(4) }
active proctype Q() { q?ping(x); assert(x == 3); q?pong(eval(x + 1)) }
