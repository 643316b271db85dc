// safety violated
byte g[2];
active [2] proctype P() { byte x; L: x = _pid }
active proctype W() { g[1] = 1; g[1] = 0 }
active proctype Q() { assert(P[g[1]]@L) }
