// safety violated
// Full channels lose messages
// The same where the other order is wrong.
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { c!2 }
active proctype C() { byte m; c?m; assert(m == 2) }
