// An element of an array of another process, and an index that is not constant.
byte i, x;
active proctype P() { byte a[3]; a[1] = 5; a[2] = 6; i = 1 }
active proctype Q() { i = 2; x = P:a[i]; assert(x == 0 || x == 5 || x == 6) }
