// safety violated
// A process counts while a younger one, which is not yet at its end, competes with a third.
byte g;
active proctype A() { assert(_nr_pr == 3) }
active proctype C() { g = 2; end: false }
active proctype B() { g = 1 }
