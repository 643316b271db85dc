// Another process uses the channel that the receiver said to have to itself. SPIN looks at that only where its partial-order reduction
// relies on it.
// $ spin -run exclusive.pml
// prints xr assertion violated
// $ spin -run -DNOREDUCE exclusive.pml
// lacks xr assertion violated
// prints errors: 0
// $ isospin verify --reduce none exclusive.pml
// exit 1
// prints xr violated: Thief(2) receives from a channel that Receiver(1) has to itself
// $ isospin verify --no-exclusive exclusive.pml
// exit 0
chan q = [2] of { byte };
active proctype Sender() { q!1; q!2 }
active proctype Receiver() { byte x; xr q; q?x }
active proctype Thief() { byte x; q?x }
