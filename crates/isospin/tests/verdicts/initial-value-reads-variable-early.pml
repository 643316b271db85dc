// safety violated
// The new process begins with what the variable holds at that moment.
byte g;
proctype C() { byte x = g; assert(x == 1) }
active proctype A() { run C() }
active proctype W() { g = 1 }
