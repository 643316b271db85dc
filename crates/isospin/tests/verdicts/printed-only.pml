// safety violated
// A variable that is otherwise only printed is dead, and so is a copy of it; what another asserts is not.
byte x; byte y; byte z;
active proctype P() { x = 1; y = x; z = x; printf("%d %d %d\n", x, y, z); y = 0 }
active proctype Q() { assert(y == 0) }
