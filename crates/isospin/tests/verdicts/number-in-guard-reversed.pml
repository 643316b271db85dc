// safety violated
// The same where the other order is wrong.
proctype C(bool first) { if :: _pid == 2 -> assert(!first) :: else fi }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
