// safety violated
// Full channels lose messages
// Which message is kept depends on who sends first.
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { c!2 }
active proctype C() { byte m; c?m; assert(m == 1) }
