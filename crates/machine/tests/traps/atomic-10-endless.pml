// An atomic that never ends: SPIN runs into its depth limit, we say that it does not end.
// ours: refused: EndlessAtomic
// because: a search that gives up at a depth has not looked at everything; an endless atomic is an error of the model
byte x;
active proctype P() { atomic { do :: x = 1 - x od } }
