// After a for loop the variable is one above the bound.
byte i, s;
active proctype P() { for (i : 1 .. 3) { s = s + i }; assert(i == 4 && s == 6) }
