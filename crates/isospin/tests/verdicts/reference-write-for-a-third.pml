// safety violated
// One process sets a variable of another, and a third one sees it for a moment.
active proctype P() { public bit x; skip }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1; P[r].x = 0 }
active proctype R() { ref P r; r = anyRef(P); if :: P[r].x -> assert(false) :: else fi }
