// Every receiver is an alternative.
chan q = [0] of { byte };
byte x;
active proctype P() { q!1 }
active [3] proctype Q() { q?_; x = _pid }
