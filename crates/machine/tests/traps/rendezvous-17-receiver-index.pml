// The receiver's array index is computed with the values of the half-made step.
chan q = [0] of { byte };
byte x, a[3];
active proctype P() { x = 2; q!7 }
active proctype Q() { q?a[x]; assert(a[2] == 7) }
