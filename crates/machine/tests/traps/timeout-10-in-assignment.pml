// timeout as a value.
byte x;
active proctype P() { x = timeout; x == 0; x = timeout + 1 }
