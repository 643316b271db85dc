// Processes that are alike. isospin stores one state of each orbit, SPIN all; `-noreduce` switches both kinds of reduction off.
// $ spin -o1 -o2 -o3 -run -noreduce symmetry.pml
// prints        85 states, stored
// $ isospin spin -o1 -o2 -o3 -run -noreduce symmetry.pml
// exit 0
// prints        85 states, stored
// $ isospin spin -run symmetry.pml
// exit 0
// prints + Symmetry Reduction (group of order 6)
byte x;
active [3] proctype P() { x++; x--; x++ }
