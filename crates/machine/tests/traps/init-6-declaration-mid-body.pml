// A scalar declared after statements, with an initial value.
byte x = 1;
active proctype P() { x = 5; byte y = x; assert(y == 5 || y == 1); x = y }
