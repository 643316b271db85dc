// n stays 2, so `settles` is violated. With weak fairness SPIN misses violations in runs in which all processes end.
// $ spin -run -f fairness.pml
// prints errors: 0
// $ isospin verify --fairness weak fairness.pml
// exit 1
// prints settles violated
byte n;
active proctype P() { n = 1; n = 2 }
ltl settles { <> [] (n == 1) }
