// safety violated
// Which process is number 3 depends on who creates first; its variable is looked at by number.
proctype C(byte v) { byte own; own = v; end: false }
active proctype A() { run C(1) }
active proctype B() { run C(2) }
active proctype M() { byte seen; C[3]@end; seen = C[3]:own; assert(seen != 2); end: false }
