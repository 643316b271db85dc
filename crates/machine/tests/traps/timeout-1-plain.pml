// timeout is possible when nothing else is.
byte x;
active proctype P() { timeout; x = 1 }
active proctype Q() { x = 2; x == 1; x = 3 }
