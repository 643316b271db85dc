// An unless as an option of a selection.
byte x, y;
active proctype P() { if :: { y = 1; y = 2 } unless { x == 1; y = 9 } :: y == 0 -> y = 5 fi }
active proctype Q() { x = 1 }
