// A parent waits for its child before it is gone.
byte x;
proctype C() { x = 1; x = 2 }
proctype B() { run C(); x = 5 }
init { run B(); (_nr_pr == 1); assert(x == 2 || x == 5) }
