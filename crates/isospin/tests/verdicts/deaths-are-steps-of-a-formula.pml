// safety holds; p violated
// A process that ends takes a step, and the formula counts steps.
byte x;
active [2] proctype P() { x++ }
ltl p { X X (x == 2) }
