// safety violated
bit g;
proctype C() { g = 1 }
proctype B() { run C() }
proctype A() { run B() }
init { run A() }
active proctype Q() { assert(!g) }
