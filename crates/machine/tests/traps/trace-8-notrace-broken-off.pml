// A notrace that meets another event first has nothing more to say.
chan q = [1] of { byte };
active proctype P() { q!2; q!1; q!3 }
active proctype Q() { byte x; q?x; q?x; q?x }
notrace { q!1; q!3 }
