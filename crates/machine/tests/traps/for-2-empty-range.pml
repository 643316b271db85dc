// A for loop over no number.
byte i, s, n = 2;
active proctype P() { for (i : 3 .. n) { s++ }; assert(i == 3 && s == 0) }
