// safety violated
chan q = [1] of { byte };
active proctype A() { skip; q!1 }
active proctype B() { { skip; skip; assert(false) } unless { q?_ } }
