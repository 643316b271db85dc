// safety violated
chan r = [0] of { byte };
byte n;
active proctype A() { skip; d_step { r?_; n = 1 } }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
