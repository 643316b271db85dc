// safety holds
// The value is of no use, but to compute it takes a variable that names a channel.
chan c = [1] of { bit };
active proctype Q() { chan d; byte unused; d = c; unused = len(d) }
