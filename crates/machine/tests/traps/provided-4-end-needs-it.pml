// The closing brace needs the provided clause too.
byte x;
active proctype Q() { x = 1 }
active proctype P() provided (x == 0) { skip }
