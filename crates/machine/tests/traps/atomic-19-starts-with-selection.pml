// The guards of a selection are the guards of the atomic that begins with it.
byte x;
active proctype P() { atomic { if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi; x = 4; x = 5 } }
active proctype Q() { x = 1; x = 2 }
