// safety violated
byte g;
proctype C() { byte x = g; assert(x == 0) }
active proctype A() { run C() }
active proctype W() { g = 1 }
