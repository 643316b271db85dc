// Nothing is stored unless everything matches.
chan q = [1] of { byte, byte };
byte x = 9;
active proctype P() { q!1,2; if :: q?x,3 -> assert(false) :: timeout -> assert(x == 9) fi }
