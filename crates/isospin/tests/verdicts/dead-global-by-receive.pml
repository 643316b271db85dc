// safety violated
chan q = [1] of { byte };
byte g[2];
active proctype P() { q!1; q?g[1]; g[1] = 0 }
active proctype Q() { assert(g[1] == 0) }
