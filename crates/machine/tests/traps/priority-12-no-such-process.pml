// The priority of a process that does not exist is 0, and setting it does nothing.
byte x;
active proctype P() priority 2 { x = get_priority(7); assert(x == 0); set_priority(7, 3); x = 1 }
