// Two processes with atomics that wait for each other.
byte x;
active proctype P() { atomic { x == 1; x = 2; x == 3; x = 4 } }
active proctype Q() { atomic { x = 1; x == 2; x = 3; x == 4; x = 5 } }
