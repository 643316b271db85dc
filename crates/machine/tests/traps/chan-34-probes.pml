// len, full, empty, nfull and nempty.
chan q = [2] of { byte };
active proctype P() { assert(len(q) == 0); empty(q); nfull(q); q!1; nempty(q); nfull(q); q!2; full(q); nempty(q); assert(len(q) == 2); if :: nfull(q) -> assert(false) :: timeout fi }
