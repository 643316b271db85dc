// A constant is compared with what is left of the message.
chan q = [0] of { byte };
byte x;
active proctype P() { q!257 }
active proctype Q() { q?1; x = 1 }
