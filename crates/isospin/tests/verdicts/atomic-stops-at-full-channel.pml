// safety violated
// B stops inside its atomic sequence only if A has filled the channel.
chan q = [1] of { byte };
byte x;
active proctype A() { end: q!1; endb: q?_ }
active proctype B() { atomic { x = 1; q!2; x = 0 } }
active proctype C() { assert(x == 0) }
