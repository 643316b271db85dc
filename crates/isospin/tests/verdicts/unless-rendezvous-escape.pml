// safety violated
chan r = [0] of { byte };
active proctype A() { skip; r?_ }
active proctype B() { { skip; skip; assert(false) } unless { r!1 } }
