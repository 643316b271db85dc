// The message is cut to the type of the field.
chan q = [0] of { byte };
int x;
active proctype P() { q!257 }
active proctype Q() { q?x; assert(x == 1) }
