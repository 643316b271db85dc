// safety violated
// A new process does something only if it has a certain number.
proctype C(bool first) { if :: _pid == 2 -> assert(first) :: else fi }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
