// A rendezvous is a send and a receive.
chan q = [0] of { byte };
active proctype P() { q!1; q!2 }
active proctype Q() { byte x; q?x; q?x }
trace { q!1; q?1; q!2; q?2 }
