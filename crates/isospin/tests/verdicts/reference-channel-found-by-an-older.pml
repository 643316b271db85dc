// safety violated
active proctype Q() { byte i, j, k; ref P r; r = anyRef(P); P[r].c!1 }
active proctype P() { public chan c = [2] of { byte }; if :: nempty(c) -> assert(false) :: empty(c) fi; end: false }
