// A receiver whose provided clause is false is no partner.
chan q = [0] of { byte };
byte x, open;
active proctype P() { q!1; x = 1 }
active proctype Q() provided (open) { q?_; x = 2 }
active proctype R() { open = 1 }
