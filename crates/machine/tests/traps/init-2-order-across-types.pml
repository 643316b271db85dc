// A byte that uses a short declared before it: the shorts come later.
short s = 5; byte b = s + 1;
active proctype P() { byte x = b; assert(x == 1 || x == 6) }
