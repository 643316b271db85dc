// An index outside the array.
// ours: states=2 transitions=2 atomic=0 depth=1 errors=1 1:assertionviolated-invalidarrayindex@1
// because: SPIN writes outside the array after reporting it
byte a[2], i;
active proctype P() { i = 2; a[i] = 1; i = 0 }
