// timeout inside a larger expression.
byte x;
active proctype P() { (timeout && x == 1); x = 5 }
active proctype Q() { x = 1 }
