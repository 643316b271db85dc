// else is possible when no other option is.
byte x;
active proctype P() { if :: x == 1 -> x = 2 :: else -> x = 3 fi }
active proctype Q() { x = 1 }
