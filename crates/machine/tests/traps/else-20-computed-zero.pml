// Only an option written as 0 is dropped; one that is computed to be 0 stays, and is never taken.
byte x;
active proctype P() { if :: !(2) -> x = 1 :: (1 - 1) -> x = 2 :: else -> x = 3 fi }
