// The same with no process left: nobody asks.
chan q = [1] of { byte };
active proctype P() { q!1 }
active proctype Q() { byte x; q?x }
trace { q!1; q!2 }
