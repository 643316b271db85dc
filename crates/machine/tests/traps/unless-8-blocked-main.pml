// The main part is blocked, the escape is not.
byte x;
active proctype P() { { x == 5; x = 6 } unless { x == 1; x = 2 } }
active proctype Q() { x = 1 }
