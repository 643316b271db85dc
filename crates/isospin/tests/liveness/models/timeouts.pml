/* expect alt holds holds */
/* expect roundz holds holds */
/* expect steady violated violated */
bit tok; byte rounds;
active proctype P() { do :: tok == 1 -> tok = 0 :: timeout -> tok = 1; rounds = (rounds + 1) % 2 od }
ltl alt { [] <> (tok == 1) }
ltl roundz { [] <> (rounds == 1) }
ltl steady { <> [] (rounds == 0) }
