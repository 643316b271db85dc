// safety violated
// The same where the other order is wrong.
proctype C(bool first) { if :: _pid == 2 -> assert(!first) :: else fi; end: false }
active proctype A() { run C(true); end: false }
active proctype B() { run C(false); end: false }
