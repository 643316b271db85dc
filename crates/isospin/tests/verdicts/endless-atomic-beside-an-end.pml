// safety holds; p unknown
// A sequence that can be left, but need not be.
bool done;
active proctype P() { bit x; x = 1; atomic { do :: x = 1 - x :: break od }; done = true }
ltl p { <> done }
