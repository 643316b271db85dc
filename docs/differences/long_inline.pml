// An `inline` of more than 64 kB. SPIN refuses it; isospin takes it.
// $ spin -a long_inline.pml
// exit 1
// prints inline text too long
// $ isospin verify long_inline.pml
// exit 0
// prints safety holds
#define A x = 1 - x; x = 1 - x; x = 1 - x; x = 1 - x; x = 1 - x; x = 1 - x; x = 1 - x; x = 1 - x;
#define B A A A A A A A A A A
#define C B B B B B B B B B B
byte x;
inline flip() { d_step { C C C C C C C C C C } }
active proctype P() { flip(); assert(x == 0) }
