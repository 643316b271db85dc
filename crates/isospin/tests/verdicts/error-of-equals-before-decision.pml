// safety violated; p unknown
// One of two equal processes fails before the formula is decided. They end when they do not.
byte n, done;
active [2] proctype P() { n++; assert(n < 2); done++ }
ltl p { <> (done == 2) }
