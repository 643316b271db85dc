// safety violated
// A monitor names two of three elements; the third is useless.
bool cs[3];
active [2] proctype P() { cs[_pid] = 1; cs[_pid] = 0 }
active proctype Monitor() { assert(!(cs[0] && cs[1])) }
