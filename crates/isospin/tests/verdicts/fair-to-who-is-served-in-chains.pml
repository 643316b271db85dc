// safety holds; p violated
// Weak fairness
// All moves of the receiver are passed over: a message is received as soon as it is sent.
chan c = [1] of { bit }; bit x;
active proctype P() { do :: c!1; x = 1 - x od }
active proctype R() { do :: c?_ od }
ltl p { <> [] (x == 0) }
