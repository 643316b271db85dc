// safety holds; p violated
chan r = [0] of { byte };
byte x;
active proctype A() { skip; end: r?_ }
active proctype B() { { skip; skip; x = 1 } unless { r!1 } }
ltl p { [] (x == 0) }
