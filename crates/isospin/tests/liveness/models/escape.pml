/* expect stops violated violated */
/* expect after holds holds */
/* expect cycles violated holds */
/* expect stays holds holds */
bool stop; byte n;
active proctype P() { { do :: n < 2 -> n++ :: else -> n = 0 od } unless { stop; n = 5 } }
active proctype Q() { byte k; do :: k = 1 - k :: stop = true; break od }
ltl stops { <> (n == 5) }
ltl after { [] (stop -> <> (n == 5)) }
ltl cycles { ([] !stop) -> [] <> (n == 2) }
ltl stays { [] (n == 5 -> [] (n == 5)) }
