// A random receive on a rendezvous channel is a receive.
chan q = [0] of { byte };
byte x;
active proctype P() { q!3; q!1 }
active proctype Q() { q??3; q??x; assert(x == 1) }
