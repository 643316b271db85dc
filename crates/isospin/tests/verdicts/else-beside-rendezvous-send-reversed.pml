// safety violated
chan r = [0] of { byte };
active proctype B() { if :: r!1 :: else -> assert(false) fi }
active proctype A() { skip; r?_ }
