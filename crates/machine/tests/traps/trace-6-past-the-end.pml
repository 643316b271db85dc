// A trace that has come to its end expects nothing more.
chan q = [1] of { byte };
active proctype P() { q!1; q!2 }
active proctype Q() { byte x; q?x; q?x }
trace { q!1 }
