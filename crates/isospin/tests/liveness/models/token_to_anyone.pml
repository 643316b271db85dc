/* expect first violated violated */
/* expect given_on holds holds */
/* expect somebody holds holds */
/* Who has the token gives it to another one: every step looks alike up to symmetry, and the first may never get it again. */
byte token = 9;
proctype P(byte id) { do :: atomic { token == id -> if :: token = (id + 1) % 3 :: token = (id + 2) % 3 fi } :: atomic { token == 9 -> token = id } od }
init { atomic { run P(0); run P(1); run P(2) } }
ltl first { [] <> (token == 0) }
ltl given_on { [] (token == 0 -> <> (token == 1 || token == 2)) }
ltl somebody { [] <> (token == 0) || [] <> (token == 1) || [] <> (token == 2) }
