// Every store cuts: variables, arrays, structure fields.
typedef T { byte f; short g[2] };
byte b; byte a[2]; T t;
active proctype P() { b = 257; a[1] = -1; t.f = 1000; t.g[1] = 65537; assert(b == 1 && a[1] == 255 && t.f == 232 && t.g[1] == 1) }
