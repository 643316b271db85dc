// An `inline` of more than 64 kB. SPIN refuses it; isospin takes it.
// $ spin -a long_inline.pml
// exit 1
// prints inline text too long
// $ isospin verify long_inline.pml
// exit 0
// prints safety holds
#define X a_variable_whose_name_is_as_long_as_it_takes_to_make_the_text_of_few_statements_a_long_one
#define A X = 1 - X; X = 1 - X; X = 1 - X; X = 1 - X; X = 1 - X; X = 1 - X; X = 1 - X; X = 1 - X;
#define B A A A A A A A
byte X;
inline flip() { d_step { B B B B B B B } }
active proctype P() { flip(); assert(X == 0) }
