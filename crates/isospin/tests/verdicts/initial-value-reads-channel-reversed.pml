// safety violated
// The same where the other order is wrong.
chan c = [1] of { byte };
proctype C() { byte n = len(c); assert(n == 1) }
active proctype A() { run C() }
active proctype B() { c!1 }
