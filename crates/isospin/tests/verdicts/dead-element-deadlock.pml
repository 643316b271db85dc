// safety violated
// The deadlock depends on an element that is set for a moment only.
bool in[2];
active proctype P() { in[1] = 1; in[1] = 0 }
active proctype Q() { if :: in[1] -> false :: else fi }
