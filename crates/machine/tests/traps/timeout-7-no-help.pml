// A timeout that does not help: deadlock.
byte x;
active proctype P() { (timeout && x == 1) }
