// An else of an inner selection is the else of the whole choice.
byte x;
active proctype P() { if :: x == 1 -> x = 5 :: if :: x == 2 -> x = 6 :: else -> x = 7 fi fi }
active proctype Q() { x = 1; x = 2 }
