// Having to wait later is an error, and SPIN gives up.
byte x;
active proctype P() { d_step { x = 1; x == 2; x = 3 } }
active proctype Q() { x = 2 }
