// safety violated
// The same where the other order is wrong.
byte sum;
proctype C(bool first) { byte own = _pid; if :: !first -> sum = own :: else fi; assert(sum != 3) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
