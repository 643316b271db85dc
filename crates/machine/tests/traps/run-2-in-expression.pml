// run inside an expression.
byte x;
proctype P() { skip }
init { x = 1 + run P(); assert(x == 2) }
