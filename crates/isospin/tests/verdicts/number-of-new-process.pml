// safety violated
// Who creates first decides which child is 2.
proctype C(byte n) { assert(n == 0 || _pid == 3) }
active proctype P() { run C(0) }
active proctype Q() { run C(1) }
