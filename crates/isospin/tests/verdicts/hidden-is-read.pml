// safety violated
hidden byte h; byte x;
active proctype P() { h = 1; x = h }
active proctype Q() { assert(x == 0) }
