// safety violated
byte g[2];
active proctype P() { g[1] = 1; g[1] = 0 }
active proctype Q() provided (g[1] == 1) { assert(false) }
