// safety holds; p violated
// Weak fairness
// The second process can move now and then only, so it need never move, whatever the third does meanwhile.
bit x; bit y; bool done;
active proctype P() { do :: x = 1; x = 0 od }
active proctype Z() { x == 1; done = true }
active proctype T() { do :: y = 1 - y od }
ltl p { <> done }
