// safety violated
chan r = [0] of { byte };
bit go;
active proctype C() { go = 1 }
active proctype A() { { r?_ } unless { go } }
active proctype B() { if :: r!1 :: else -> assert(false) fi }
