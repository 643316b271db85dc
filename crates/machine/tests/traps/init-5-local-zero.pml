// A local without initial value starts with 0 for every new process.
byte n;
proctype C() { byte l; assert(l == 0); l = 7 }
init { run C(); (_nr_pr == 1); run C(); (_nr_pr == 1); n = 1 }
