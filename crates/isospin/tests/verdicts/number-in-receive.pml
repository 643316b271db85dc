// safety violated
// The second process that is created is not the one that the message is for: which of two that is depends on who creates first.
chan c = [1] of { byte };
proctype C(bool first) { end: c?eval(_pid); assert(first) }
active proctype A() { run C(true) }
active proctype B() { run C(false) }
active proctype S() { c!3 }
