// byte wraps around at both ends.
byte x = 255;
active proctype P() { x++; assert(x == 0); x--; assert(x == 255) }
