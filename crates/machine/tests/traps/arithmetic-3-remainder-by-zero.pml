// Remainder by zero, in a guard.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=1 1:divisionbyzero@0
// because: SPIN's verifier crashes
byte x, y;
active proctype P() { (x % y == 0) -> y = 1 }
