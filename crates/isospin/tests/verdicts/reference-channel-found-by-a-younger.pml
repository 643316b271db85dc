// safety violated
// A message comes through a reference while the owner of the channel looks at it.
active proctype P() { public chan c = [2] of { byte }; if :: nempty(c) -> assert(false) :: empty(c) fi; end: false }
active proctype Q() { byte i, j, k; ref P r; r = anyRef(P); P[r].c!1 }
