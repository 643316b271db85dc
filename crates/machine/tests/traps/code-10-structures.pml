// Structures of Promela are structures of C.
typedef In { byte b; bit f; short s[2] }
typedef Out { In in[2]; int n }
Out o[2]; In one;
active proctype P() {
  In mine;
  c_code { now.o[1].in[0].s[1] = -7; now.o[0].n = 70000; now.o[1].in[1].b = 300; now.one.f = 3; PP->mine = now.o[1].in[0]; };
  assert(o[1].in[0].s[1] == -7 && o[0].n == 70000 && o[1].in[1].b == 44 && one.f == 1 && mine.s[1] == -7 && mine.b == 0);
  o[0].in[1].s[0] = 5;
  c_code { struct In copy = now.o[0].in[1]; copy.s[0]++; now.o[0].in[1] = copy; };
  assert(o[0].in[1].s[0] == 6)
}
