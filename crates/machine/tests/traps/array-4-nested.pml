// Arrays inside structures inside arrays.
typedef In { byte v[3] };
typedef Out { In row[2]; byte k };
Out m[2];
active proctype P() { m[1].row[1].v[2] = 5; m[0].row[0].v[0] = 6; m[1].k = 7; assert(m[1].row[1].v[2] == 5 && m[0].row[0].v[0] == 6 && m[0].k == 0) }
