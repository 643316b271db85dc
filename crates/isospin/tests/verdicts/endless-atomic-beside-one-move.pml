// safety holds; p unknown
// The only way on leaves a sequence that need not be left: no chain passes over it.
bool done;
active proctype P() { bit x; x = 1; atomic { do :: skip :: break od }; done = true }
ltl p { <> done }
