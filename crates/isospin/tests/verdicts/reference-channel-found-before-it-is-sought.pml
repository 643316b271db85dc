// safety violated
active proctype P() { public chan c = [2] of { byte }; if :: nempty(c) :: empty(c) -> assert(false) fi; end: false }
active proctype Q() { byte i, j, k; ref P r; r = anyRef(P); P[r].c!1 }
