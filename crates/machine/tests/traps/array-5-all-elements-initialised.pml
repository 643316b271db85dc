// One initial value for all elements.
byte a[3] = 7; short s[2] = -1;
active proctype P() { byte l[2] = 3; assert(a[0] == 7 && a[2] == 7 && s[1] == -1 && l[0] == 3 && l[1] == 3) }
