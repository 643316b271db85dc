// safety violated
// The partner comes and goes for ever.
chan r = [0] of { byte };
active proctype A() { bit b; end: do :: b = 1 - b; if :: b -> r?_ :: else fi od }
active proctype B() { end: do :: r!1 :: else -> assert(false) od }
