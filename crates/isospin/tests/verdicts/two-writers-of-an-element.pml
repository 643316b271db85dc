// safety violated
// The same with an element whose index is computed by one of them.
byte x[2]; byte i = 1; bool done;
active proctype P() { x[1] = 1; done; assert(x[1] == 2) }
active proctype Q() { x[i] = 2; done = true }
