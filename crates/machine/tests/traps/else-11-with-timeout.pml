// else wins over timeout.
byte x;
active proctype P() { if :: timeout -> x = 1 :: else -> x = 2 fi }
