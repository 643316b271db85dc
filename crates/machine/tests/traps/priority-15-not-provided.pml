// A process of high priority that is not provided does not hinder the others.
byte x;
active proctype P() priority 1 { x = 1; x = 2 }
active proctype Q() priority 5 provided (x != 0) { x = 7 }
