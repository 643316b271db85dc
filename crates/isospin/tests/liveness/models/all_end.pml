/* expect ended holds holds */
/* expect free violated violated SPIN violated holds */
/* expect first holds holds */
/* expect more violated violated */
/* Processes end in any order, and the run rests. */
byte done, lock = 9;
proctype P(byte id) { atomic { lock == 9 -> lock = id }; done++; lock = 9 }
init { atomic { run P(0); run P(1); run P(2) } }
ltl ended { <> [] (done == 3) }
ltl free { <> [] (lock != 9) }
ltl first { <> (lock == 1) }
ltl more { [] <> (done < 3) }
