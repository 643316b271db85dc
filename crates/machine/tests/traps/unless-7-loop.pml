// A loop with an escape; break leaves both.
byte x, y;
active proctype P() { do :: y < 3 -> y++ :: y == 3 -> break od unless { x == 1 -> y = 9 }; assert(y == 3 || y == 9) }
active proctype Q() { x = 1 }
