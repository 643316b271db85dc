// safety violated
chan r = [0] of { byte };
byte g = 1;
active proctype C() { g = 0 }
active proctype A() { end: r?eval(g) }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
