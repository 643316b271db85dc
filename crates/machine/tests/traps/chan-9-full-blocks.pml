// A send to a full channel waits.
chan q = [2] of { byte };
byte x;
active proctype P() { q!1; q!2; q!3; x = 1 }
active proctype Q() { x == 0; q?_; }
