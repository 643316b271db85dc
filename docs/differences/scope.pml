// An assertion that fails after the claim has come to rest. SPIN checks assertions only as far as the claim goes along; isospin
// checks them in every run, whatever is claimed.
// $ spin -run scope.pml
// prints errors: 0
// $ isospin spin -run scope.pml
// exit 1
// prints pan:1: assertion violated (x==1)
// $ isospin verify scope.pml
// exit 1
// prints starts_at_zero holds
byte x;
active proctype P() { x = 1; x = 2; assert(x == 1) }
ltl starts_at_zero { x == 0 }
