// A blocked process of high priority does not hinder the others.
byte x;
active proctype P() priority 1 { x = 1; x = 2 }
active proctype Q() priority 5 { x == 1; x = 7 }
