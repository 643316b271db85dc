/* expect mutex holds holds */
/* expect live violated holds */
/* expect both violated holds */
/* expect some holds holds */
/* expect never_both holds holds */
/* expect waits violated holds */
/* expect release holds holds */
/* expect turns violated holds */
bool turn, flag[2]; byte inside;
active [2] proctype user() {
again: flag[_pid] = 1; turn = _pid;
       (flag[1 - _pid] == 0 || turn == 1 - _pid);
cs:    inside++; inside--;
       flag[_pid] = 0; goto again }
ltl mutex { [] (inside <= 1) }
ltl live { [] (flag[0] -> <> user[0]@cs) }
ltl both { [] <> user[0]@cs && [] <> user[1]@cs }
ltl some { [] <> (user[0]@cs || user[1]@cs) }
ltl never_both { [] ! (user[0]@cs && user[1]@cs) }
ltl waits { <> user[1]@cs }
ltl release { (inside == 0) V (inside == 0 || flag[0] || flag[1]) }
ltl turns { [] (turn -> <> !turn) }
