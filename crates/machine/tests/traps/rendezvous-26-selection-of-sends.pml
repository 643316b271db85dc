// A choice between sends, with one receiver.
chan q = [0] of { byte };
byte x;
active proctype P() { if :: q!1 :: q!2 :: q!3 fi }
active proctype Q() { if :: q?2 -> x = 2 :: q?3 -> x = 3 fi }
