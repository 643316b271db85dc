// safety violated
// A comes to the port by a step that touches nothing.
chan r = [0] of { byte };
active proctype A() { skip; r?_ }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
