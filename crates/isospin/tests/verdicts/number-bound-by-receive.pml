// safety violated
// A message is received into the element of the receiver's number.
chan c = [2] of { byte }; byte got[6];
proctype C(bool first) { c?got[_pid]; if :: _pid == 3 -> assert(first || got[3] != 1) :: else fi }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
active proctype S() { c!1; c!2 }
