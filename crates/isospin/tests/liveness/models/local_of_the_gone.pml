/* expect stays violated violated SPIN violated holds */
/* expect all_stay violated violated SPIN violated holds */
/* expect known violated violated SPIN violated holds */
/* expect seen holds holds */
/* A formula reads variables of processes that end; once they are gone, it reads 0. */
byte gone;
proctype P(byte five) { byte n; n = 1; gone++ }
init { atomic { run P(5); run P(5); run P(5) } }
ltl stays { <> [] (P[1]:n == 1) }
ltl all_stay { <> [] (P[1]:n == 1 && P[2]:n == 1 && P[3]:n == 1) }
ltl seen { <> (P[3]:n == 1) }
ltl known { <> [] (P[1]:five == 5) }
