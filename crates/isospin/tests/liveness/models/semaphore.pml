/* expect p violated violated */
/* expect either holds holds */
/* expect excl holds holds */
/* expect back holds holds */
/* expect first holds holds */
byte s = 1, c0, c1;
active proctype P() { do :: atomic { s > 0 -> s-- }; c0 = 1; c0 = 0; s++ od }
active proctype Q() { do :: atomic { s > 0 -> s-- }; c1 = 1; c1 = 0; s++ od }
ltl p { [] <> (c0 == 1) }
ltl either { [] <> (c0 == 1 || c1 == 1) }
ltl excl { [] !(c0 == 1 && c1 == 1) }
ltl back { [] (s == 0 -> <> (s == 1)) }
ltl first { <> (c0 == 1) || <> (c1 == 1) }
