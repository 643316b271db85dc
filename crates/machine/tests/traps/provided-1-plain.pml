// Every step needs the provided clause.
byte x;
active proctype P() provided (x != 1) { x = 1; x = 5 }
active proctype Q() { x == 1; x = 2 }
