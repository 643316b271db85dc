// A process that is not provided does not prevent a timeout.
byte x;
active proctype P() provided (x == 1) { x = 5 }
active proctype Q() { timeout -> x = 1 }
