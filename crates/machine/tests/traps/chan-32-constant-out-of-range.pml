// A constant that the field cannot hold never matches.
chan q = [1] of { byte };
byte x;
active proctype P() { q!256; if :: q?256 -> x = 1 :: q?0 -> x = 2 fi; assert(x == 2) }
