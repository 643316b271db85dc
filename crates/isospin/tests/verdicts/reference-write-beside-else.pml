// safety violated
// An `else` waits for nobody, unless a variable is set in time.
bit done;
active proctype P() { public bit x; if :: x -> skip :: else -> done = 1 fi }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1; assert(!done) }
