// eval() of a variable of the receiver must match.
chan q = [0] of { byte };
byte x = 3, y;
active proctype P() { q!3; y = 1 }
active proctype Q() { q?eval(x); x = 9 }
active proctype R() { x = 4 }
