// A pid is used again.
byte a, b;
proctype C() { skip }
init { a = run C(); (_nr_pr == 1); b = run C(); assert(a == b) }
