// Division by zero.
// ours: states=3 transitions=3 atomic=0 depth=2 errors=1 1:divisionbyzero@2
// because: SPIN's verifier crashes
byte x, y;
active proctype P() { x = 3; y = 0; x = x / y; y = 1 }
