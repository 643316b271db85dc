// safety violated
// A variable that its own process never reads is read through a reference.
active proctype P() { public bit x; x = 1; x = 0; end: false }
active proctype Q() { ref P r; r = anyRef(P); if :: P[r].x -> assert(false) :: else fi }
