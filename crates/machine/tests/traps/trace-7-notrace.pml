// The last event of a notrace is an error.
chan q = [1] of { byte };
active proctype P() { if :: q!1 :: q!2 fi; q!3 }
active proctype Q() { byte x; q?x; q?x }
notrace { q!1; q!3 }
