// Only processes of the highest priority among those that can move may move.
byte x;
active proctype P() priority 1 { x = 1; assert(x != 1) }
active proctype Q() priority 5 { x = 2; x = 3 }
