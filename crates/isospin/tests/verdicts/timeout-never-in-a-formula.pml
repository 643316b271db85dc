// safety holds; p holds; q violated
bit x;
active proctype P() { do :: x = 1 - x od }
active proctype R() { end: timeout; x = 0 }
ltl p { [] !timeout }
ltl q { <> timeout }
