// safety violated
// Two processes are about to send to one channel, which each has in a variable.
chan q = [2] of { byte }; bool go;
active proctype A() { chan c; c = q; go; c!1 }
active proctype B() { chan c; c = q; go; c!2 }
active proctype R() { byte x; go = 1; q?x; assert(x == 2) }
