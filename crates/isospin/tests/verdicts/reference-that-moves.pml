// safety violated
// A reference leads to another process than it did when its owner was created.
active [2] proctype P() { public chan c = [1] of { byte }; if :: c?_ -> assert(false) :: else fi; end: false }
proctype Q(ref P r; ref P s) { r = s; P[r].c!1 }
init { ref P r; ref P s; r = anyRef(P); s = anyRef(P); if :: r != s -> run Q(r, s) :: else fi }
