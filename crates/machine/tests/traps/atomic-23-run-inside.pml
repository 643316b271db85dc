// Processes created inside an atomic start when it is over.
byte x;
proctype Q() { assert(x == 2) }
init { atomic { x = 1; run Q(); x = 2 } }
