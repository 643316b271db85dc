// safety violated
// A deterministic process takes its first possibility, so it matters that nobody waits at the port yet.
chan r = [0] of { byte };
active proctype A() { skip; end: r?_ }
active D_proctype B() { if :: r!1 :: true -> assert(false) fi }
