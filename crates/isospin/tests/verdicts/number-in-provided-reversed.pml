// safety violated
// The same where the other order is wrong.
proctype C(bool first) provided (_pid == 2) { end: assert(!first) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
