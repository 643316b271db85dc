// A process is not its own partner.
chan q = [0] of { byte };
byte x;
active proctype P() { if :: q!1 -> x = 1 :: q?_ -> x = 2 :: timeout -> x = 3 fi }
