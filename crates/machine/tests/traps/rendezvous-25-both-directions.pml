// Two processes that offer and receive at the same time.
chan q = [0] of { byte };
byte x;
active proctype P() { if :: q!1 -> x = x + 1 :: q?_ -> x = x + 2 fi }
active proctype Q() { if :: q!1 -> x = x + 4 :: q?_ -> x = x + 8 fi }
