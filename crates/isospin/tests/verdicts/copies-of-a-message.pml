// safety violated
// Two processes look at the same message and a third takes it.
chan c = [2] of { byte }; byte seen;
active proctype A() { c??<1>; seen++ }
active proctype B() { c?<1>; seen++ }
active proctype C() { c!1; seen == 2; c?1; assert(len(c) == 1) }
