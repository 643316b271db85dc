// safety violated
// A process that was created may have ended when its variable is set.
proctype P() { public byte x; skip }
init { ref P r; run P(); end: r = anyRef(P); P[r].x = 1 }
