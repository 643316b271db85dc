// A local initialised from an expression over parameters and globals.
byte g = 10;
proctype C(byte a) { byte l = a * 2 + g; assert(l == 16) }
init { run C(3) }
