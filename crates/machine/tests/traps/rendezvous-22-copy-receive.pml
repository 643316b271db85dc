// A receive that leaves the message, on a rendezvous channel, is an error.
// ours: states=1 transitions=1 atomic=0 depth=1 errors=2 1:pollingrvchan@0
// because: SPIN goes on after the mistake, and reports a deadlock as well
chan q = [0] of { byte };
byte x;
active proctype P() { q!1 }
active proctype Q() { q?<x>; x = 5 }
