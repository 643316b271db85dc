/* expect settles violated violated SPIN violated holds */
/* expect reaches holds holds */
/* expect again violated violated */
/* expect bounded holds holds */
/* expect stays holds holds */
/* expect one violated violated SPIN violated holds */
/* expect seven violated violated */
/* expect noseven violated violated */
/* SPIN misses fair runs that come to rest. */
byte n;
active proctype P() { n = 1; n = 2 }
active proctype Q() { n == 1 -> n = 7; n = 1 }
ltl settles { <> [] (n == 2) }
ltl reaches { <> (n == 2) }
ltl again { [] <> (n == 2) }
ltl bounded { [] (n < 8) }
ltl stays { <> [] (n == 1 || n == 2) }
ltl one { <> [] (n == 1) }
ltl seven { <> (n == 7) }
ltl noseven { [] (n != 7) }
