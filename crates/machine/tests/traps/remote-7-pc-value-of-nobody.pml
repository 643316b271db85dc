// pc_value of a process that does not exist.
byte x;
active proctype P() { x = pc_value(5); assert(x == 0) }
