// A priority outside 1 .. 255 is an error.
active proctype P() priority 2 { set_priority(_pid, 0) }
