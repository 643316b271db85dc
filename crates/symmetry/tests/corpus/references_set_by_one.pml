/* order: 2
 * One of three is set by another process in the beginning. */
active [3] proctype P() { public byte n; ref P next; if :: n == 1 -> next = anyRef(P); P[next].n = 1; n = 2 :: _pid == 0 -> n = 1 fi }
