// C prints; a search is not disturbed.
byte x;
active proctype P() { c_code { Printf("x is %d and %s\n", now.x, "text"); now.x++; }; assert(x == 1) }
