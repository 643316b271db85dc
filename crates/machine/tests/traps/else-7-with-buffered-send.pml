// else with a send: possible when the channel is full.
chan q = [1] of { byte };
byte x;
active proctype P() { q!1; if :: q!2 -> x = 1 :: else -> x = 2 fi }
active proctype Q() { q?_ }
