// Initial values inside a typedef hold for every structure of it.
typedef T { byte a = 3; short b[2] = 5 };
T t; T u[2];
active proctype P() { T l; assert(t.a == 3 && t.b[1] == 5 && u[1].a == 3 && u[1].b[0] == 5 && l.a == 3) }
