// A process that has ended waits; it is at a valid end.
byte x;
active proctype P() { x = 1 }
active proctype Q() { end: x == 2 }
