// safety violated
byte g[2];
proctype C(byte v) { assert(v == 0) }
active proctype P() { g[1] = 1; g[1] = 0 }
active proctype Q() { run C(g[1]) }
