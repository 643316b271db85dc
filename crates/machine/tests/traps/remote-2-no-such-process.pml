// A local of a process that is not there yet, or gone: 0.
byte x = 9;
proctype P() { byte v = 3; v++ }
active proctype Q() { x = P[1]:v; assert(x == 0); run P(); do :: x = P[1]:v :: _nr_pr == 1 -> break od; assert(P[1]:v == 0) }
