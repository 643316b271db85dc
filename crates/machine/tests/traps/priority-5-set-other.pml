// A process raises the priority of another.
byte x;
active proctype P() priority 2 { x = 1; set_priority(1, 9); x = 2 }
active proctype Q() priority 1 { assert(x == 1); x = 7 }
