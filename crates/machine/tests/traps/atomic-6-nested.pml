// An atomic inside an atomic adds nothing, and its end does not end the outer one.
byte x;
active proctype P() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype Q() { assert(x == 0 || x >= 4) }
