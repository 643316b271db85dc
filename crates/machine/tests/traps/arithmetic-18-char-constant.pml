// Character constants are numbers.
byte c = 'a';
active proctype P() { assert(c == 97); c = '\n'; assert(c == 10); assert('0' + 5 == 53) }
