// Blocks have their own variables.
byte r;
active proctype P() { { byte x = 1; r = x }; { byte x = 2; assert(x == 2); r = r + x }; assert(r == 3) }
