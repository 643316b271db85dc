// safety violated
// Each of two processes takes back what the other one needs.
active [2] proctype P() { public bit go; ref P r; go = 1; r = anyRef(P); P[r].go = 0; go -> skip }
