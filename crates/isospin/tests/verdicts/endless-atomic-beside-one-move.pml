// safety holds; p unknown
// The only way on leaves a sequence that need not be left: no chain passes over it.
bool done;
active proctype P() { skip; atomic { skip; do :: skip :: break od }; done = true }
ltl p { <> done }
