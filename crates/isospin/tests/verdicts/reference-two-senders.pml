// safety violated
// The order of two sends to another's channel matters.
active proctype P() { public chan c = [2] of { byte }; byte v; c?v; assert(v == 1); end: false }
active proctype Q() { ref P r; r = anyRef(P); P[r].c!2 }
active proctype R() { ref P r; r = anyRef(P); P[r].c!1 }
