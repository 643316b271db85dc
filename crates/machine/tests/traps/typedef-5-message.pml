// A nested structure through a channel.
typedef A { byte x; byte y };
typedef B { A a; byte z };
chan q = [2] of { B };
B s, r;
active proctype P() { s.a.x = 1; s.a.y = 2; s.z = 3; q!s; q?r; assert(r.a.x == 1 && r.a.y == 2 && r.z == 3) }
