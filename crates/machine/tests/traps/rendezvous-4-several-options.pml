// One receiver with several matching options.
chan q = [0] of { byte };
byte x;
active proctype P() { q!1 }
active proctype Q() { if :: q?1 -> x = 1 :: q?x -> x = 2 :: q?2 -> x = 3 :: q?_ -> x = 4 fi }
