// Pids are given in order of declaration, init at its place.
byte a, b, c;
active proctype P() { a = _pid; assert(a == 0) }
init { b = _pid; assert(b == 1) }
active [2] proctype Q() { c = _pid; assert(c == 2 || c == 3) }
