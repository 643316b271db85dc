// safety holds; p violated; q holds; r holds
// In a formula, too, timeout means that nobody can move without it. SPIN 6.5.2 says the same of each.
bit x;
active proctype P() { x == 1; x = 0 }
active proctype R() { timeout; x = 1 }
ltl p { [] !timeout }
ltl q { <> (timeout && x == 0) }
ltl r { [] (timeout -> x == 0) }
