// safety violated
// What a process does that is created by one that is created.
bit g;
proctype B() { g = 1 }
proctype A() { run B() }
init { run A() }
active proctype Q() { assert(!g) }
