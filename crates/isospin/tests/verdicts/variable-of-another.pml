// safety violated
active proctype P() { byte x; x = 1; x = 0 }
active proctype Q() { assert(P:x == 0) }
