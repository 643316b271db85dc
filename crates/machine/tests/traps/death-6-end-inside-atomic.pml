// A process whose last statement is an atomic dies by a step of its own.
byte x;
active proctype P() { atomic { x = 1; x = 2 } }
active proctype Q() { (_nr_pr == 1); x = 3 }
