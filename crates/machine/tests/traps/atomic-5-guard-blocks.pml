// The first statement is the guard of the whole.
byte x;
active proctype P() { atomic { x == 1; x = 2 } }
active proctype Q() { x = 1; x == 2; x = 1 }
