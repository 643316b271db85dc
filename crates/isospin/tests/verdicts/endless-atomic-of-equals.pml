// safety holds; p unknown
// One of two equal processes need not leave its sequence. When it has, it ends.
byte n;
active [2] proctype P() { skip; atomic { skip; do :: skip :: break od }; n++ }
ltl p { <> (n == 2) }
