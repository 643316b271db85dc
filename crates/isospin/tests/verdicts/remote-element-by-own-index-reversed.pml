// safety holds
// The index of a remote reference is of the process that reads: with P's `k` it would be 1 in the end.
active proctype P() { byte k; byte log[2]; k = 1; log[k] = 1 }
active proctype Q() { byte i; i = 0; assert(P:log[i % 2] == 0); assert(P[0]:log[i] == 0) }
