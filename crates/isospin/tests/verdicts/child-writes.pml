// safety violated
// What a process that is created does is done by who creates it.
bit g;
proctype C() { g = 1 }
init { run C() }
active proctype Q() { assert(!g) }
