// A bool in a structure.
typedef T { bool b; byte n };
T t;
active proctype P() { t.b = 2; t.n = 2; assert(t.b == 0 && t.n == 2) }
