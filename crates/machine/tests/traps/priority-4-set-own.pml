// A process lowers its own priority.
byte x;
active proctype P() priority 5 { x = 1; set_priority(_pid, 1); x = 2; x = 3 }
active proctype Q() priority 3 { assert(x == 2 || x == 1); x = 9 }
