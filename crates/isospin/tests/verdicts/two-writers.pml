// safety violated
// Who writes last decides, and nobody else reads the variable before.
byte x; bool done;
active proctype P() { x = 1; done; assert(x == 2) }
active proctype Q() { x = 2; done = true }
