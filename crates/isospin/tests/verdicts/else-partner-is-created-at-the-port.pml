// safety violated
// The step that creates the partner brings it to the port.
chan r = [0] of { byte };
proctype A() { r?_ }
active proctype B() { byte n; if :: r!1 :: else -> n = 1 fi; assert(n == 0) }
init { run A() }
