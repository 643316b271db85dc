// Reading outside the array.
// ours: states=2 transitions=2 atomic=0 depth=1 errors=1 1:assertionviolated-invalidarrayindex@1
// because: SPIN reads outside the array after reporting it
byte a[2], i, x;
active proctype P() { i = 5; x = a[i]; i = 0 }
