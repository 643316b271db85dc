// A label that another process asks about stands on a jump: it gets a place.
byte x;
active proctype P() { do :: x < 2 -> x++ :: x == 2 -> L: break od; x = 9 }
active proctype Q() { P@L -> assert(x == 2) }
