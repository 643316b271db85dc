// safety violated
chan r = [0] of { byte };
bit go = 1;
active proctype C() { go = 0 }
active proctype A() provided (go) { end: r?_ }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
