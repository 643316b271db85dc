// The value of run is the pid of the new process.
byte p;
proctype C(byte expected) { assert(expected == _pid) }
init { p = run C(1); assert(p == 1); p = run C(2) }
