// safety violated
// Processes that are alike grant each other something; nobody grants it to itself, so all may wait.
active [3] proctype P() { public byte n; ref P r; r = anyRef(P); if :: r != _lid -> P[r].n++ :: else fi; n == 1 || n == 2; assert(n < 2) }
