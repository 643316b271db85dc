// The same for one of several processes.
byte x;
active [2] proctype P() { x++; L: x++ }
active proctype Q() { P[1]@L && !P[0]@L -> assert(x >= 1 && x <= 2) }
