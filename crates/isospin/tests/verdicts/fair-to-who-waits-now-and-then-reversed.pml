// safety holds; p violated
// Weak fairness
// The same where it can move at first.
bit x = 1; bit y; bool done;
active proctype T() { do :: y = 1 - y od }
active proctype Z() { x == 1; done = true }
active proctype P() { do :: x = 0; x = 1 od }
ltl p { <> done }
