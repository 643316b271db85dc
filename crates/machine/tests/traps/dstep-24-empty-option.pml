// An option that is only a break, and one that is only else.
byte x;
active proctype P() { d_step { do :: x == 3 -> break :: else -> x++ od; if :: x == 4 -> x = 0 :: else fi; x++ }; assert(x == 4) }
