// A reference to a proctype that is defined further down.
// ours: states=14 transitions=17 atomic=0 depth=7 errors=4 1:invalidendstate@3 2:assertionviolated(x==1)@5
// because: SPIN knows a proctype only below its definition
byte x;
active proctype Q() { P@L -> assert(x == 1) }
active proctype P() { x = 1; L: x = 2; x = 3 }
