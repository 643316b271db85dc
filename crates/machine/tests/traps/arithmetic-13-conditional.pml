// A conditional looks only at the branch it takes.
byte i = 5, a[3], x;
active proctype P() { x = (i < 3 -> a[i] : 7); assert(x == 7); x = (i > 3 -> 1 : a[i]); assert(x == 1) }
