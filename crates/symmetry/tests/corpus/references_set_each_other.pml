/* order: 6
 * Processes that are alike count each other, and themselves. */
active [3] proctype P() { public byte n; ref P r; r = anyRef(P); P[r].n++; assert(n <= 3) }
