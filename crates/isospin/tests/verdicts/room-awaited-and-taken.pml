// safety violated
// There is room, and another takes it before the one that waited goes on.
chan c = [1] of { byte }; bool waited;
active proctype A() { nfull(c); waited = true; c!1 }
active proctype B() { assert(!waited || nfull(c)); c!2 }
active proctype C() { byte m; c?m; c?m }
