// timeout and priorities.
byte x;
active proctype P() priority 1 { timeout -> x = 1 }
active proctype Q() priority 5 { timeout -> x = 2 }
