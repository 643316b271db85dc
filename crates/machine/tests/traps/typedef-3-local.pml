// A structure as a local, and one per process.
typedef T { byte a };
active [2] proctype P() { T t; t.a = _pid + 1; assert(t.a == _pid + 1) }
