// safety violated
// The port is the value of a parameter.
chan r = [0] of { byte };
proctype A(chan c) { skip; c?_ }
active proctype B() { byte n; if :: r!1 :: else -> n = 1 fi; assert(n == 0) }
init { run A(r) }
