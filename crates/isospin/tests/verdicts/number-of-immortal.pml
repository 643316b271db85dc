// safety violated
// Who creates first decides the numbers, also where no process ever ends.
proctype C(bool first) { if :: _pid == 2 -> assert(first) :: else fi; end: do :: false od }
active proctype A() { run C(true); end: do :: false od }
active proctype B() { run C(false); end: do :: false od }
