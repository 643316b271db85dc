// A local array of channels.
active proctype P() { chan c[2] = [1] of { byte }; byte x; c[0]!1; c[1]!2; c[1]?x; assert(x == 2 && len(c[0]) == 1) }
