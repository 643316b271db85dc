// eval() matches a value instead of storing.
chan q = [2] of { byte };
byte x = 1;
active proctype P() { q!2; q!1; if :: q?eval(x) -> assert(false) :: timeout -> skip fi; q?eval(x + 1); q?eval(x); assert(len(q) == 0) }
