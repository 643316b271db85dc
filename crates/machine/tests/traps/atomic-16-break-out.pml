// A break leaves both the loop and the atomic.
byte x;
active proctype P() { do :: atomic { x = 1; x = 2; break } :: x == 2 -> x = 0 od; x = 3; x = 4 }
active proctype Q() { assert(x != 3) }
