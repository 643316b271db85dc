// Every way through an atomic is followed; two ways to the same end count twice.
byte x, y;
active proctype P() { atomic { if :: y = 1 :: y = 2 fi; if :: x = 1 :: x = 1 fi; y = 0 } }
