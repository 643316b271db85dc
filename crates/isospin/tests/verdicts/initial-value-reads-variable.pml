// safety violated
// A new process computes its first value from a variable that another writes, and the creator never reads.
byte x;
proctype C() { byte n = x; assert(n == 0) }
active proctype A() { run C() }
active proctype B() { x = 1 }
