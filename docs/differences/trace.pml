// Two processes send to channels of their own, and a trace says who is first. SPIN takes such sends for local steps and tries one
// order of them only.
// $ spin -run trace.pml
// prints errors: 0
// $ spin -run -DNOREDUCE trace.pml
// prints event_trace error
// $ isospin verify trace.pml
// exit 1
// prints event_trace error
chan a = [1] of { byte };
chan b = [1] of { byte };
active proctype P() { xs a; a!1 }
active proctype Q() { xs b; b!1 }
trace { b!1; a!1 }
