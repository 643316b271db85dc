// safety violated
// Whether a new process may move at all depends on its number.
byte last = 9;
proctype C(bool first) provided (_pid == 2) { assert(first) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
