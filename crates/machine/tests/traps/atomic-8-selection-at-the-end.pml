// A selection as the last part of an atomic: the joint after it is a step of its own.
byte x;
active proctype P() { atomic { x = 1; if :: x == 1 -> x = 2 :: x == 2 -> x = 3 fi }; x = 4 }
active proctype Q() { x = 2 }
