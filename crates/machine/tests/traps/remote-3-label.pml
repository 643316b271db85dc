// Whether another process is at a label.
byte x;
active proctype P() { x = 1; L: x = 2; x = 3 }
active proctype Q() { P@L -> assert(x == 1) }
