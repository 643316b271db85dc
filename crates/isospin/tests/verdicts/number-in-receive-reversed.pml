// safety violated
// The same where the other order is wrong.
chan c = [1] of { byte };
proctype C(bool first) { end: c?eval(_pid); assert(!first) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
active proctype S() { c!3 }
