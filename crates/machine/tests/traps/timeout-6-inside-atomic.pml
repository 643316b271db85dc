// timeout in the middle of an atomic: control is lost, then timeout is tried.
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2 } }
active proctype Q() { x == 1; x = 3 }
