// safety violated
// Whether somebody waits at another's port decides about `else`.
active proctype P() { public chan c = [0] of { byte }; skip; c?_; end: false }
active proctype Q() { ref P r; r = anyRef(P); if :: P[r].c!1 :: else -> assert(false) fi }
