// safety violated
// The child can disappear only before Q is created.
proctype C() { skip }
proctype Q() { skip }
active proctype P() { run C(); run Q(); end: _nr_pr == 2 -> assert(false) }
