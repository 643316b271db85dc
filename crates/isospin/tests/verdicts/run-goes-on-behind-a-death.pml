// safety violated
// Q's end is seen, so symmetry lets it happen. Behind it the run is that of an image of what was stored.
chan c = [1] of { byte }
active [2] proctype P() { do :: c!_pid; skip od }
active proctype Q() { c?_; assert(_nr_pr > 1) }
