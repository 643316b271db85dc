/* expect mine violated violated */
/* expect none violated violated */
/* expect one holds holds */
/* expect some_wait violated violated */
/* A server serves whom it likes: one client waits for ever, but up to symmetry somebody is always served. */
bool ask[3];
proctype Client(byte id) { do :: atomic { !ask[id] -> ask[id] = true } od }
proctype Server() { do :: atomic { ask[0] -> ask[0] = false } :: atomic { ask[1] -> ask[1] = false } :: atomic { ask[2] -> ask[2] = false } od }
init { atomic { run Client(0); run Client(1); run Client(2); run Server() } }
ltl mine { [] (ask[0] -> <> !ask[0]) }
ltl none { [] ((ask[0] || ask[1] || ask[2]) -> <> (!ask[0] && !ask[1] && !ask[2])) }
ltl one { [] <> (!ask[0] || !ask[1] || !ask[2]) }
ltl some_wait { <> [] (ask[0] || ask[1] || ask[2]) }
