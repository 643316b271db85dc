// A leading zero does not make a number octal.
byte x = 010;
active proctype P() { assert(x == 10) }
