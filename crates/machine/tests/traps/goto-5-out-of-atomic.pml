// A jump out of an atomic ends it.
byte x;
active proctype P() { atomic { x = 1; if :: x == 1 -> goto M :: else fi; x = 2 }; M: x++; x++ }
active proctype Q() { x = 5 }
