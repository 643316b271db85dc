// safety holds; p violated
chan r = [0] of { byte };
byte x;
active proctype A() { skip; end: r?_ }
active proctype B() { if :: r!1 :: else -> x = 1 fi }
ltl p { [] (x == 0) }
