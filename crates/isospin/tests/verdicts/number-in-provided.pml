// safety violated
// Whether a new process may move at all depends on its number.
proctype C(bool first) provided (_pid == 2) { end: assert(first) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
