// A for loop in an atomic.
byte i, s;
active proctype P() { atomic { for (i : 1 .. 3) { s = s + i } } }
active proctype Q() { assert(s == 0 || s == 6) }
