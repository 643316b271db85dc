// A few processes that do nothing, started in an atomic.
proctype P() { skip }
init { byte i; atomic { for (i : 1 .. 4) { run P() } } }
