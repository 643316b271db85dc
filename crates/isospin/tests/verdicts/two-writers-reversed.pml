// safety violated
// The same with the processes the other way round.
byte x; bool done;
active proctype Q() { x = 2; done = true }
active proctype P() { x = 1; done; assert(x == 2) }
