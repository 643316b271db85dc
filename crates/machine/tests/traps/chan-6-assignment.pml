// Channel variables can be assigned and compared.
chan a = [1] of { byte }; chan b = [1] of { byte };
chan v;
byte x;
active proctype P() { v = b; v!3; assert(v == b && v != a); b?x; assert(x == 3) }
