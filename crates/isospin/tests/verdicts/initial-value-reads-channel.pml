// safety violated
// A new process computes its first value from a channel that another fills.
chan c = [1] of { byte };
proctype C() { byte n = len(c); assert(n == 0) }
active proctype A() { run C() }
active proctype B() { c!1 }
