// safety violated
// A local is read only to compute a parameter that only the `provided` clause reads.
byte a[2] = { 1, 1 }; bool ready; bool ok;
proctype P(byte v) provided (a[v] == 1) { byte w; w = 1; v = w; ready = true; end: ok; assert(false) }
init { run P(0); ready; a[0] = 0; ok = true }
