/* expect never violated holds */
bit x, y;
active proctype P() { do :: x = 1 - x od }
active proctype Q() { do :: y = 1 - y od }
never { do :: _last == 0 -> goto accept :: true od; accept: do :: _last == 0 od }
