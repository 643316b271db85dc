// safety violated
// A local of a new process starts with its number.
byte sum;
proctype C(bool first) { byte own = _pid; if :: first -> sum = own :: else fi; assert(sum != 3) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
