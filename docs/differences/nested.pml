// More than 200 parentheses in each other. SPIN reads them; isospin refuses them with a message.
// $ spin -run nested.pml
// prints errors: 0
// $ isospin verify nested.pml
// exit 2
// lacks holds
#define LEFT ((((((((((((((((((((((((((((((((((((((((((((((((((
#define RIGHT ))))))))))))))))))))))))))))))))))))))))))))))))))
byte x;
active proctype P() { x = LEFT LEFT LEFT LEFT LEFT 1 RIGHT RIGHT RIGHT RIGHT RIGHT; assert(x == 1) }
