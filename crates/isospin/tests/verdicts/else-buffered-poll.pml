// safety violated
chan q = [1] of { byte };
active proctype A() { skip; q!1 }
active proctype B() { if :: q?[1] -> assert(false) :: else fi }
active proctype C() { skip; end: q?_ }
