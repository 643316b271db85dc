// safety violated
active proctype P() { public chan c = [2] of { byte }; byte v; c?v; assert(v == 2); end: false }
active proctype Q() { ref P r; r = anyRef(P); P[r].c!2 }
active proctype R() { ref P r; r = anyRef(P); P[r].c!1 }
