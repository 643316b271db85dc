/* expect invisible holds holds */
/* expect ends violated violated */
/* expect flagged violated holds */
/* expect done_then violated violated */
/* expect notyet violated holds */
byte x; bool done;
active proctype P() { do :: atomic { x = 1; x = 2; x = 0 } :: d_step { x = 5; x = 0 } :: done -> break od; x = 9 }
active proctype Q() { skip; done = true }
ltl invisible { [] (x == 0 || x == 9) }
ltl ends { <> (x == 9) }
ltl flagged { <> done }
ltl done_then { [] (done -> <> (x == 9)) }
ltl notyet { (x != 9) U done }
