// safety holds; p violated
// Weak fairness
// All moves of the second process are passed over; a fair run has them nevertheless.
bit x;
active proctype P() { do :: x = 1 - x od }
active proctype R() { bit l; do :: l = 1 - l od }
ltl p { <> [] (x == 0) }
