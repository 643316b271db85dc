// safety violated
chan q = [2] of { byte }; bool go;
active proctype A() { chan c; c = q; go; c!1 }
active proctype B() { chan c; c = q; go; c!2 }
active proctype R() { byte x; go = 1; q?x; assert(x == 1) }
