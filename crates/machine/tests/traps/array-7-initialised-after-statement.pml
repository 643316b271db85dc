// A local array declared after a statement: its first element alone gets the value.
byte x;
active proctype P() { x = 1; byte l[3] = 4; x = l[2]; assert(x == 4) }
