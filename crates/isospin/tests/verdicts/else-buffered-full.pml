// safety violated
chan q = [1] of { byte };
active proctype A() { q!1 }
active proctype B() { if :: q!2 :: else -> assert(false) fi }
