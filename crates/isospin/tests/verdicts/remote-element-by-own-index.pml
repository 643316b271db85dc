// safety violated
// The index of a remote reference is of the process that reads: with P's `k` it would be 0 always.
active proctype P() { byte k; byte log[2]; log[1] = 1; log[1] = k }
active proctype Q() { byte i; i = 1; assert(P:log[i % 2] == 0) }
