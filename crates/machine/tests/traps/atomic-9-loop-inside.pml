// A loop inside an atomic.
byte x, n;
active proctype P() { atomic { do :: n < 3 -> n++; x = n :: else -> break od; x = 9 } }
active proctype Q() { assert(x == 0 || x == 9) }
