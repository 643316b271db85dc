// A negative index.
// ours: states=1 transitions=1 atomic=0 depth=0 errors=1 1:assertionviolated-invalidarrayindex@0
// because: SPIN writes outside the array after reporting it
byte a[2]; int i = -1;
active proctype P() { a[i + 0] = 1 }
