// With -m a send to a full channel loses the message.
// flags: -m
chan q = [1] of { byte };
byte x;
active proctype P() { q!1; q!2; q!3; x = 1 }
active proctype Q() { q?x }
