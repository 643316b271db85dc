// An mtype in a structure.
mtype = { red, green };
typedef T { mtype m; byte n };
T t;
active proctype P() { t.m = green; if :: t.m == red -> assert(false) :: t.m == green -> skip fi }
