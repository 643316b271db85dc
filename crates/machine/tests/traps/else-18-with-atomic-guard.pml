// else with an atomic as the other option.
byte x;
active proctype P() { if :: atomic { x == 1; x = 2; x = 3 } :: else -> x = 4 fi }
active proctype Q() { x = 1 }
