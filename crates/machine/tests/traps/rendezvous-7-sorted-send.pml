// A sorted send on a rendezvous channel is a send.
chan q = [0] of { byte };
byte x;
active proctype P() { q!!3; q!!1 }
active proctype Q() { q?x; assert(x == 3); q?x; assert(x == 1) }
