// A selection at the start of a d_step with an option that is always possible.
// ours: states=3 transitions=3 atomic=0 depth=2 errors=0
// because: SPIN leaves assignments out when it computes the guard of a d_step, so it waits for ever
byte x;
active proctype P() { d_step { if :: x == 1 -> x = 2 :: x = 3 fi; x++ } }
