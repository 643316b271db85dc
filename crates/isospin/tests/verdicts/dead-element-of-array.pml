// safety violated
// Nobody reads in[0], so it is dead everywhere; in[1] is not.
bool in[2];
active proctype P() { in[1] = 1; in[1] = 0 }
active proctype Q() { assert(!in[1]) }
