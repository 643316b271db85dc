// _priority can be read and written.
byte x;
active proctype P() priority 4 { x = _priority; assert(x == 4); _priority = 7; x = get_priority(_pid); assert(x == 7) }
