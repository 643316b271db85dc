// timeout in a provided clause.
byte x;
active proctype P() provided (timeout) { x = 1; x = 2 }
active proctype Q() { skip; skip }
