// safety violated
byte n;
active proctype P() { skip; L: skip; n = 1 }
active proctype Q() { assert(!P@L) }
