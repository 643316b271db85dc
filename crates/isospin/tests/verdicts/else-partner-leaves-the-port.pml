// safety violated
// A can leave the port by a step of its own.
chan r = [0] of { byte };
active proctype A() { if :: r?_ :: skip fi }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
