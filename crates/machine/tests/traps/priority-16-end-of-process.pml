// Dying counts as a move too.
byte x;
active proctype P() priority 1 { x = 1 }
active proctype Q() priority 5 { skip }
