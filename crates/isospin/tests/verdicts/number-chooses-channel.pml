// safety violated
// A new process sends to the channel of its number.
chan c[6] = [1] of { bool };
proctype C(bool first) { c[_pid]!first }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
active proctype M() { bool first; c[3]?first; assert(first) }
