// A jump from one atomic to another.
byte x;
active proctype P() { atomic { x = 1; x = 2; goto M }; skip; atomic { x = 3; M: x++; x++ } }
active proctype Q() { x = 7 }
