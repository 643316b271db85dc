// Nested for loops.
byte i, j, s;
active proctype P() { for (i : 0 .. 1) { for (j : 0 .. 2) { s++ } }; assert(s == 6) }
