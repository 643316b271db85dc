// A process that waits inside an atomic can be woken by timeout.
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2; x = 3 } }
active proctype Q() { x == 1; skip; assert(x != 2) }
