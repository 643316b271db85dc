// safety violated
bit a[2];
active proctype P() { byte x; x = 1; a[x + 0] = 1; a[x + 0] = 0 }
active proctype Q() { assert(!a[1]) }
