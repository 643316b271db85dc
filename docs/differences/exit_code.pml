// A failed assertion. SPIN's verifier ends with 0 whatever it finds; isospin with 1.
// $ spin -run exit_code.pml
// exit 0
// prints errors: 1
// $ isospin verify exit_code.pml
// exit 1
// prints safety violated
active proctype P() { assert(false) }
