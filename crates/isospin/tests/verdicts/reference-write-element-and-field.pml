// safety violated
// Elements of arrays and fields of structures can be set, too.
typedef T { byte f; byte g[2] }
active proctype P() { public T t; public byte a[2]; if :: t.g[1] == 1 && a[0] == 1 -> assert(t.f == 0) :: else fi }
active proctype Q() { ref P r; r = anyRef(P); P[r].t.f = 1; P[r].a[0] = 1; P[r].t.g[1] = 1 }
