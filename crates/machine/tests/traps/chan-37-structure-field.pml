// A structure as a field is its fields.
typedef T { byte a; byte b };
chan q = [1] of { T };
T s, r;
active proctype P() { s.a = 1; s.b = 2; q!s; q?r; assert(r.a == 1 && r.b == 2) }
