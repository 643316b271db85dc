// Two else for one choice: refused.
// refused: two `else` compete
// because: SPIN accepts the text, and its verifier refuses to start
byte x;
active proctype P() { if :: if :: x == 2 -> x = 6 :: else -> x = 7 fi :: else -> x = 5 fi }
