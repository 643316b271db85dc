// Without a priority it is 1.
byte x;
active proctype P() { x = _priority; assert(x == 1) }
active proctype Q() priority 2 { x = get_priority(0); assert(x == 1) }
