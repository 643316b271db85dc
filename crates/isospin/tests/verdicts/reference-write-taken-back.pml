// safety violated
// What a process waits for is granted by one and taken back by another: it may wait for ever.
active proctype P() { public bit x; x -> skip }
active proctype Q() { ref P r; r = anyRef(P); P[r].x = 1 }
active proctype R() { ref P r; r = anyRef(P); P[r].x = 0 }
