// Structures inside structures.
typedef A { byte x; bit y };
typedef B { A a; short z };
typedef C { B b[2]; A a };
C c;
active proctype P() { c.b[1].a.x = 4; c.a.x = 5; c.b[1].z = -3; assert(c.b[1].a.x == 4 && c.a.x == 5 && c.b[0].a.x == 0 && c.b[1].z == -3) }
