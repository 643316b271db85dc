// Nobody moves between the steps of an atomic.
byte x;
active proctype P() { atomic { x = 1; x = 2; x = 3 } }
active proctype Q() { assert(x != 1 && x != 2) }
