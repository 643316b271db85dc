// A provided clause is not an option: while it is false, else is not possible either.
byte x;
active proctype P() provided (x != 1) { if :: x == 2 -> x = 5 :: else -> x = 6 fi }
active proctype Q() { x = 1; x = 2 }
