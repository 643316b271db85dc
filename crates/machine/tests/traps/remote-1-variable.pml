// A local of another process, read by name and number.
byte x;
active proctype P() { byte v = 3; v++; v++ }
active proctype Q() { x = P[0]:v; assert(x >= 3) }
