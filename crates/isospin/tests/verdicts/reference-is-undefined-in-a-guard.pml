// safety violated
// To follow no reference is an error in a condition, too. No number of a process is looked at otherwise.
proctype C() { public bit x; end: false }
active proctype A() { run C() }
active proctype Q() { ref C r; C[r].x == 1 }
