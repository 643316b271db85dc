// safety violated
byte g[2];
active proctype P() { g[1]++; g[1]-- }
active proctype Q() { assert(g[1] == 0) }
