// A structure as an argument.
typedef T { byte a; short b };
T t;
proctype P(T u) { assert(u.a == 3 && u.b == -2); u.a = 9 }
init { t.a = 3; t.b = -2; run P(t); assert(t.a == 3) }
