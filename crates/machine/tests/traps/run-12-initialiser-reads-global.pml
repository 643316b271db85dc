// An initial value of a local reads a global when the process starts.
byte g = 1;
proctype P() { byte l = g; assert(l == 2) }
init { g = 2; run P(); g = 3 }
