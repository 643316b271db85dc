// safety violated
// A message in another's channel interrupts.
active proctype P() { public chan c = [1] of { byte }; skip; skip; c!1; end: false }
active proctype Q() { ref P r; r = anyRef(P); { skip; skip; assert(false) } unless { P[r].c?_ } }
