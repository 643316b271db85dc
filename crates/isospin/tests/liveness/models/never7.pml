/* expect never violated holds */
bit x, y;
active proctype P() { do :: x == 1 -> x = 0 od }
active proctype Q() { do :: y = 1 - y :: x = 1 od }
never { do :: enabled(0) -> goto accept :: true od; accept: do :: enabled(0) od }
