// safety violated
// Between two sends to another's channels somebody looks at both.
active proctype P() { public chan c = [1] of { byte }; public chan d = [1] of { byte }; end: false }
active proctype Q() { ref P r; r = anyRef(P); P[r].c!1; P[r].d!1 }
active proctype R() { ref P r; r = anyRef(P); assert(!(nempty(P[r].c) && empty(P[r].d))) }
