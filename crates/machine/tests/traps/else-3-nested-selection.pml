// A selection at the start of an option is part of the choice: else looks at its options too.
byte x;
active proctype P() { if :: if :: x == 1 -> x = 5 :: x == 2 -> x = 6 fi :: else -> x = 7 fi }
active proctype Q() { x = 1; x = 2 }
