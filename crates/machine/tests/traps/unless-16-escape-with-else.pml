// An else as the guard of an escape is possible when nothing of the main part was found possible before it.
byte x, y;
active proctype P() { { x == 1; y = 2 } unless { if :: x == 2 -> y = 7 :: else -> y = 8 fi } }
active proctype Q() { x = 1 }
