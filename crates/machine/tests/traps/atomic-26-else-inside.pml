// else inside an atomic.
byte x;
active proctype P() { atomic { x = 1; if :: x == 2 -> x = 5 :: else -> x = 3 fi; if :: x == 3 -> skip :: else -> x = 7 fi } }
active proctype Q() { x = 2 }
