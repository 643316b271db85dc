/* expect counts violated holds */
/* expect first violated holds */
/* expect zero holds holds */
/* expect order violated holds */
/* expect worder holds holds */
mtype = { ping, pong }; chan q = [0] of { mtype }; chan r = [0] of { mtype }; byte count;
active proctype A() { do :: q!ping -> r?pong; count = (count + 1) % 3 od }
active proctype B() { do :: q?ping -> r!pong od }
active proctype C() { byte i; do :: i = 1 - i od }
ltl counts { [] <> (count == 2) }
ltl first { <> (count == 1) }
ltl zero { [] (count < 3) }
ltl order { (count != 2) U (count == 1) }
ltl worder { (count != 2) W (count == 1) }
