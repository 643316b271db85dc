// mtype holds a byte.
mtype = { one, two };
mtype m;
active proctype P() { m = 258; assert(m == 2) }
